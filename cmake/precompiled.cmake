# Headers that are compiled once and read by many units: two thirds of a unit's time would else be includes.
#
# A set is compiled once for all targets that name it (REUSE_FROM), so those have the same flags; definitions that the
# headers of the set do not look at may differ. A source with options of its own (-O3, -ffp-contract) skips them: GCC would
# take those of the set in their place. Every file still includes what it uses: RANKLINT_PRECOMPILED=OFF, as
# the presets for sanitizers and for GCC's warnings have it, builds without.
include_guard(GLOBAL)
option(RANKLINT_PRECOMPILED "compile common headers once" ON)

set(RANKLINT_HEADERS_standard <algorithm> <array> <chrono> <cstdint> <deque> <functional> <map> <memory> <mutex> <optional> <set>
    <span> <sstream> <string> <string_view> <unordered_map> <utility> <variant> <vector>)
set(RANKLINT_HEADERS_json ${RANKLINT_HEADERS_standard} <nlohmann/json.hpp>)
set(RANKLINT_HEADERS_analysis ${RANKLINT_HEADERS_standard} <analyzer/summary/interpreter.h> <analyzer/compare/facts.h>)
set(RANKLINT_HEADERS_catch ${RANKLINT_HEADERS_standard} <catch2/catch.hpp>)

# ranklint_precompile(TARGET SET): the target reads the set; an empty name is `standard`, OFF none.
function(ranklint_precompile target set)
  if(set STREQUAL "")
    set(set standard)
  endif()
  if(NOT RANKLINT_PRECOMPILED OR NOT set)
    return()
  endif()
  if(NOT TARGET ranklint_precompiled_${set})
    cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH root)
    set(unit ${CMAKE_BINARY_DIR}/precompiled_${set}.cpp)
    file(CONFIGURE OUTPUT ${unit} CONTENT "" @ONLY)
    add_library(ranklint_precompiled_${set} OBJECT ${unit})
    target_include_directories(ranklint_precompiled_${set} PRIVATE ${root})
    target_compile_features(ranklint_precompiled_${set} PUBLIC cxx_std_20)
    target_link_libraries(ranklint_precompiled_${set} PRIVATE ranklint_options)
    target_precompile_headers(ranklint_precompiled_${set} PRIVATE ${RANKLINT_HEADERS_${set}})
  endif()
  target_precompile_headers(${target} REUSE_FROM ranklint_precompiled_${set})
  # Where GCC 12 reads a precompiled header it warns inside of libstdc++, of code that it takes without one.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-array-bounds;-Wno-stringop-overread>)
endfunction()
