# ranklint_fuzz(NAME SOURCES... LIBS LIBRARIES...): the target of LLVMFuzzerTestOneInput in SOURCES, with its seeds
# in testdata/fuzz/NAME/.
#
# With RANKLINT_FUZZERS it is a libFuzzer program in fuzzers/ that `./dev fuzz` runs. Otherwise it is a test: a plain
# program that feeds the seeds, each cut short at many places and with bytes changed, so that every build proves
# what the long run once found.
add_custom_target(fuzzers)

function(ranklint_fuzz name)
  cmake_parse_arguments(PARSE_ARGV 1 arg "" "" "LIBS")
  add_executable(${name} ${arg_UNPARSED_ARGUMENTS})
  target_link_libraries(${name} PRIVATE ${arg_LIBS} ranklint_options)
  if(RANKLINT_FUZZERS)
    target_link_options(${name} PRIVATE -fsanitize=fuzzer)
    set_target_properties(${name} PROPERTIES RUNTIME_OUTPUT_DIRECTORY ${CMAKE_BINARY_DIR}/fuzzers)
    add_dependencies(fuzzers ${name})
  else()
    if(NOT TARGET ranklint_replay_seeds)
      add_library(ranklint_replay_seeds OBJECT ${CMAKE_SOURCE_DIR}/tests/support/replay_seeds.cpp)
      target_link_libraries(ranklint_replay_seeds PRIVATE ranklint_base ranklint_options)
    endif()
    target_link_libraries(${name} PRIVATE ranklint_replay_seeds)
    add_test(NAME "${name}: survives its seeds, cut short and damaged"
             COMMAND ${name} ${CMAKE_SOURCE_DIR}/testdata/fuzz/${name})
    set_tests_properties("${name}: survives its seeds, cut short and damaged" PROPERTIES TIMEOUT 300)
  endif()
endfunction()
