# What a library of ours is built with: also in somebody else's project, of which it takes only the runtime.
include_guard(GLOBAL)
include(${CMAKE_CURRENT_LIST_DIR}/precompiled.cmake)

# Warnings are for our own code; third-party targets are marked SYSTEM.
add_library(ranklint_options INTERFACE)
target_compile_options(ranklint_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
# Clang blames our uses of std::stable_sort for what libstdc++ calls inside of it.
target_compile_options(ranklint_options INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
# GCC clears away what it no longer needs once it holds 128 MB, most of which precompiled headers fill: a tenth of its time.
target_compile_options(ranklint_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:--param=ggc-min-heapsize=600000>)  # KB
# GCC 12 sees overlaps and overflows in `"text" + std::string` that are not there (its bug 105651).
target_compile_options(ranklint_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict;-Wno-stringop-overflow;-Wno-array-bounds>)

# ranklint_compile_together(TARGET): several of its sources as one unit, since most of a unit's time goes to what it
# includes. So names of their own (`static`, namespaces without a name) must differ between them. RANKLINT_TOGETHER says how
# many at most: a few, so that an edit is compiled in seconds; many for a build that is made once, which takes two thirds
# of the time then; 1, the preset `gcc`, compiles each by itself, and so finds what includes too little.
set(RANKLINT_TOGETHER 6 CACHE STRING "how many sources are compiled as one unit, at most")
function(ranklint_compile_together name)
  if(RANKLINT_TOGETHER GREATER 1)
    set_target_properties(${name} PROPERTIES UNITY_BUILD ON UNITY_BUILD_BATCH_SIZE ${RANKLINT_TOGETHER})
  endif()
endfunction()

# ranklint_library(NAME [APART] [PRECOMPILED SET] DEPENDS...): a static library of the .cpp files of the current folder, for
# which every public dependency is named. The root of the repository is the one include directory. SET: which headers
# are compiled in advance (cmake/precompiled.cmake); `standard` where none is named.
#
# Its sources are compiled together, unless each is a unit APART.
function(ranklint_library name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "APART" "PRECOMPILED" "")
  cmake_path(GET CMAKE_CURRENT_FUNCTION_LIST_DIR PARENT_PATH root)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(sources)
    add_library(${name} STATIC ${sources})
    target_include_directories(${name} PUBLIC ${root})
    target_compile_features(${name} PUBLIC cxx_std_20)
    target_link_libraries(${name} PUBLIC ${arg_UNPARSED_ARGUMENTS} PRIVATE ranklint_options)
    set_property(GLOBAL APPEND PROPERTY RANKLINT_LIBRARIES ${name})
    ranklint_precompile(${name} "${arg_PRECOMPILED}")
    if(NOT arg_APART)
      ranklint_compile_together(${name})
    endif()
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${root})
    target_link_libraries(${name} INTERFACE ${arg_UNPARSED_ARGUMENTS})
  endif()
endfunction()
