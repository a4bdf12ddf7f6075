# Build options shared by every target.
option(RANKLINT_TESTS "build the tests" ON)
option(RANKLINT_FUZZERS "build the libFuzzer targets (clang only)" OFF)
option(RANKLINT_PACKAGE "link all but the C library statically, and find everything relative to the program" OFF)
option(RANKLINT_JOINED "compile the sources of all folders in few units (cmake/joined.cmake)" OFF)
option(RANKLINT_CPP "read C and C++, with Clang 19's libraries" ON)
set(RANKLINT_MPI "openmpi;mpich" CACHE STRING "the MPIs for which the runtime is built and tested; empty: none")
option(RANKLINT_EDITOR_TESTS "test the language server under Neovim and Emacs" OFF)
set(RANKLINT_ALLOCATOR "mimalloc" CACHE STRING "the library that the program allocates with, a quarter of its time less: mimalloc, jemalloc; empty: the C library")
set(RANKLINT_SANITIZE "" CACHE STRING "sanitizers to build with, e.g. address;undefined or thread")

# A second build of the same sources, in whatever folder, takes seconds. Of headers that are compiled in advance ccache
# has to be told that no macro of the command line matters to them.
find_program(RANKLINT_CCACHE ccache)
foreach(language C CXX)
  if(RANKLINT_CCACHE AND NOT CMAKE_${language}_COMPILER_LAUNCHER)
    set(CMAKE_${language}_COMPILER_LAUNCHER ${CMAKE_COMMAND} -E env CCACHE_SLOPPINESS=pch_defines,time_macros ${RANKLINT_CCACHE})
  endif()
endforeach()

# Some fifty test programs are linked, each with the whole analysis.
find_program(RANKLINT_MOLD mold)
if(RANKLINT_MOLD AND CMAKE_CXX_COMPILER_ID STREQUAL "GNU" AND CMAKE_CXX_COMPILER_VERSION VERSION_GREATER_EQUAL 12.1)
  add_link_options(-fuse-ld=mold)
endif()

if(NOT CMAKE_BUILD_TYPE)
  set(CMAKE_BUILD_TYPE RelWithDebInfo CACHE STRING "" FORCE)
endif()

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

# Where `cmake --install` puts the program, and beside it what it loads: below a prefix, or into a wheel.
set(RANKLINT_BIN_FOLDER bin)
set(RANKLINT_LIB_FOLDER lib/ranklint)
if(SKBUILD)
  set(RANKLINT_BIN_FOLDER ${SKBUILD_SCRIPTS_DIR})
  set(RANKLINT_LIB_FOLDER ${SKBUILD_DATA_DIR}/lib/ranklint)
endif()
