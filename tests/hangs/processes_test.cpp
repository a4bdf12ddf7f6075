// Each hang program with a process per rank, over one MPI: the same verdicts to the byte as with threads.
#include <catch2/catch.hpp>

#include "tests/hangs/outcome.h"

using namespace hangs;

// Far beyond what any of them takes; a hang of ours must not be one of the tests'.
static const std::string kLimit = "timeout 100 ";

static Outcome run(const std::string& name, const std::string& side, const std::string& more = {}) {
  const std::string program = std::string(HANG_PROGRAMS) + " " + name + " " + side;
  const std::string ranks = std::to_string(std::stoi(run_command(program + " --ranks").output));
  const std::string command = kLimit + MPIRUN + " -np " + ranks + " " + program + more + " 2>/dev/null";
  UNSCOPED_INFO(command);
  return run_command(command);
}

TEST_CASE("every wrong hang program of processes ends with the verdict that threads get") {
  for (const std::string& name : programs("wrong")) {
    const Outcome outcome = run(name, "wrong");
    CHECK(outcome.exit_code == 1);
    CHECK(outcome.output == expected_verdict(name));
  }
}

TEST_CASE("every fixed hang program of processes ends well, twice in one job") {
  for (const std::string& name : programs("fixed")) {
    const Outcome outcome = run(name, "fixed", " --schedules 2");
    CHECK(outcome.output == "");
    CHECK(outcome.exit_code == 0);
  }
}

TEST_CASE("a job of another size than the program's is refused") {
  const std::string program = std::string(HANG_PROGRAMS) + " guarded_barrier fixed";
  CHECK(run_command(kLimit + MPIRUN + " -np 3 " + program + " 2>/dev/null").exit_code == 2);
}

TEST_CASE("a program that no mpirun has started runs its ranks as threads") {
  const Outcome outcome = run_command(std::string(HANG_PROGRAMS) + " guarded_barrier wrong 2>/dev/null");
  CHECK(outcome.exit_code == 1);
  CHECK(outcome.output == expected_verdict("guarded_barrier"));
}
