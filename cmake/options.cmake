# Build options shared by every target.
option(RANKLINT_TESTS "build the tests" ON)
option(RANKLINT_FUZZERS "build the libFuzzer targets (clang only)" OFF)
option(RANKLINT_PACKAGE "link all but the C library statically, and find everything relative to the program" OFF)
set(RANKLINT_SANITIZE "" CACHE STRING "sanitizers to build with, e.g. address;undefined or thread")

# A second build of the same sources, in whatever folder, takes seconds.
find_program(RANKLINT_CCACHE ccache)
foreach(language C CXX)
  if(RANKLINT_CCACHE AND NOT CMAKE_${language}_COMPILER_LAUNCHER)
    set(CMAKE_${language}_COMPILER_LAUNCHER ${RANKLINT_CCACHE})
  endif()
endforeach()

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

# Warnings are for our own code; third-party targets are marked SYSTEM.
add_library(ranklint_options INTERFACE)
target_compile_options(ranklint_options INTERFACE -Wall -Wextra -Wpedantic -Wshadow -Wnon-virtual-dtor)
# Clang blames our uses of std::stable_sort for what libstdc++ calls inside of it.
target_compile_options(ranklint_options INTERFACE $<$<CXX_COMPILER_ID:Clang>:-Wno-deprecated-declarations>)
# GCC 12 sees an overlap in `"text" + std::string` that is not there (its bug 105651).
target_compile_options(ranklint_options INTERFACE $<$<CXX_COMPILER_ID:GNU>:-Wno-restrict>)
if(RANKLINT_SANITIZE)
  string(REPLACE ";" "," RANKLINT_SANITIZE_FLAGS "${RANKLINT_SANITIZE}")
  add_compile_options(-fsanitize=${RANKLINT_SANITIZE_FLAGS} -fno-omit-frame-pointer -fno-sanitize-recover=all)
  add_link_options(-fsanitize=${RANKLINT_SANITIZE_FLAGS})
  add_compile_definitions(RANKLINT_SANITIZED)  # for tests of what the sanitizers' own memory leaves no room for
endif()

if(RANKLINT_PACKAGE)
  add_compile_options(-ffunction-sections -fdata-sections)
  add_link_options(-static-libstdc++ -static-libgcc -Wl,--gc-sections -Wl,--as-needed)
endif()

if(RANKLINT_FUZZERS)
  add_compile_options(-fsanitize=fuzzer-no-link)
endif()

# ranklint_library(NAME DEPENDS...): a static library of the .cpp files of the current folder, for which
# every public dependency is named. The root of the repository is the one include directory.
function(ranklint_library name)
  file(GLOB sources CONFIGURE_DEPENDS ${CMAKE_CURRENT_SOURCE_DIR}/*.cpp)
  if(sources)
    add_library(${name} STATIC ${sources})
    target_include_directories(${name} PUBLIC ${CMAKE_SOURCE_DIR})
    target_link_libraries(${name} PUBLIC ${ARGN} PRIVATE ranklint_options)
  else()
    add_library(${name} INTERFACE)
    target_include_directories(${name} INTERFACE ${CMAKE_SOURCE_DIR})
    target_link_libraries(${name} INTERFACE ${ARGN})
  endif()
endfunction()
