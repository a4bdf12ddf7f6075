# ranklint_test(NAME [APART] SOURCES... LIBS LIBRARIES... [INSTRUCTIONS SET...] [CASES PATTERN...]): an executable of
# Catch2 cases, each of them a test of ctest. Its sources are compiled together, unless each is a unit APART.
#
# With CASES, files that match a pattern, from the root and at any depth, are cases of the executable
# (tests/support/file_cases.h): a new one is found at the next build. With INSTRUCTIONS (portable, avx2, avx512) each is
# one test per set, forced onto it; ctest reports those whose set the processor lacks as skipped.
#
# `-w NoTests` makes a run that matches no case fail: ctest asks for each case by its name, and a name that
# Catch2 reads as a pattern must not pass because nothing ran. (So no name begins with a dash or has a semicolon.)
find_package(Catch2 2 REQUIRED)
include(Catch)

# Seconds that a case may take. The sanitizers make each ten times slower, and more where it has many threads.
set(RANKLINT_TEST_TIMEOUT 300)
if(RANKLINT_SANITIZE)
  set(RANKLINT_TEST_TIMEOUT 1500)
  # Clang's libraries are not built with them: an allocator that they fill has unused memory marked by our half of its code alone.
  set(RANKLINT_TEST_SANITIZERS ENVIRONMENT_MODIFICATION "ASAN_OPTIONS=string_append::allow_user_poisoning=0")
endif()

# The executable is linked again, and its cases are asked for, where a file has come or gone.
function(ranklint_find_cases_again name)
  list(TRANSFORM ARGN PREPEND ${CMAKE_SOURCE_DIR}/ OUTPUT_VARIABLE patterns)
  file(GLOB_RECURSE files CONFIGURE_DEPENDS RELATIVE ${CMAKE_SOURCE_DIR} ${patterns})
  list(JOIN files "\n" files)
  set(list ${CMAKE_CURRENT_BINARY_DIR}/${name}_cases.txt)
  file(CONFIGURE OUTPUT ${list} CONTENT "${files}\n" @ONLY)
  set_property(TARGET ${name} APPEND PROPERTY LINK_DEPENDS ${list})
endfunction()

function(ranklint_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "APART" "" "LIBS;INSTRUCTIONS;CASES")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} ranklint_test_main ranklint_options)
  ranklint_precompile(${name} catch)
  if(NOT arg_APART)
    ranklint_compile_together(${name})
  endif()
  set_property(GLOBAL APPEND PROPERTY RANKLINT_TESTS ${name})
  if(arg_CASES)
    ranklint_find_cases_again(${name} ${arg_CASES})
  endif()
  set(properties TIMEOUT ${RANKLINT_TEST_TIMEOUT} ${RANKLINT_TEST_SANITIZERS})
  if(NOT arg_INSTRUCTIONS)
    catch_discover_tests(${name} TEST_PREFIX "${name}:" EXTRA_ARGS -w NoTests PROPERTIES ${properties})
    return()
  endif()
  target_link_libraries(${name} PRIVATE ranklint_forced_instructions)
  foreach(set IN LISTS arg_INSTRUCTIONS)
    # The name of the run tells the lists of tests apart, which are files named by these arguments.
    catch_discover_tests(${name} TEST_PREFIX "${name}:${set}:" EXTRA_ARGS -w NoTests --name ${set}
      PROPERTIES ${properties} ENVIRONMENT RANKLINT_TEST_INSTRUCTIONS=${set} SKIP_RETURN_CODE 77)
  endforeach()
endfunction()
