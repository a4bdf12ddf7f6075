# Headers that are compiled once and read by many units: two thirds of a unit's time would else be includes.
#
# A set is compiled once for all targets that name it (REUSE_FROM) in folders of the same options; definitions that the
# headers of the set do not look at may differ. A source with options of its own (-O3, -ffp-contract) skips them: GCC would
# take those of the set in their place. Every file still includes what it uses: RANKLINT_PRECOMPILED=OFF, as
# the presets for sanitizers and for GCC's warnings have it, builds without.
include_guard(GLOBAL)
option(RANKLINT_PRECOMPILED "compile common headers once" ON)

set(RANKLINT_HEADERS_standard <algorithm> <array> <chrono> <cstdint> <deque> <functional> <map> <memory> <mutex> <optional> <set>
    <span> <sstream> <string> <string_view> <unordered_map> <utility> <variant> <vector>)
set(RANKLINT_HEADERS_json ${RANKLINT_HEADERS_standard} <nlohmann/json.hpp>)
set(RANKLINT_HEADERS_analysis ${RANKLINT_HEADERS_standard} <analyzer/summary/query.h> <analyzer/execution/mismatch.h>)
set(RANKLINT_HEADERS_catch ${RANKLINT_HEADERS_standard} <catch2/catch.hpp>)

# ranklint_precompile(TARGET SET): the target reads the set; an empty name is `standard`, OFF none.
function(ranklint_precompile target set)
  if(set STREQUAL "")
    set(set standard)
  endif()
  if(NOT RANKLINT_PRECOMPILED OR NOT set)
    return()
  endif()
  # GCC crashes where what was compiled under -O1 is read under -O2.
  set(name ranklint_precompiled_${set})
  get_directory_property(options COMPILE_OPTIONS)
  if(options)
    string(MAKE_C_IDENTIFIER "${name}_${options}" name)
  endif()
  if(NOT TARGET ${name})
    cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH root)
    set(unit ${CMAKE_BINARY_DIR}/${name}.cpp)
    file(CONFIGURE OUTPUT ${unit} CONTENT "" @ONLY)
    add_library(${name} OBJECT ${unit})
    target_include_directories(${name} PRIVATE ${root})
    target_compile_features(${name} PUBLIC cxx_std_20)
    target_link_libraries(${name} PRIVATE ranklint_options)
    target_precompile_headers(${name} PRIVATE ${RANKLINT_HEADERS_${set}})
  endif()
  target_precompile_headers(${target} REUSE_FROM ${name})
  # Where GCC 12 reads a precompiled header it warns inside of libstdc++, of code that it takes without one.
  target_compile_options(${target} PRIVATE $<$<CXX_COMPILER_ID:GNU>:-Wno-stringop-overread>)
endfunction()
