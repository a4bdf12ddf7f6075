# ranklint_test(NAME SOURCES... LIBS LIBRARIES...): an executable of Catch2 cases, each of them a test of ctest.
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

function(ranklint_test name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBS")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} ranklint_test_main ranklint_options)
  catch_discover_tests(${name}
    TEST_PREFIX "${name}:"
    EXTRA_ARGS -w NoTests
    PROPERTIES TIMEOUT ${RANKLINT_TEST_TIMEOUT} ${RANKLINT_TEST_SANITIZERS})
endfunction()
