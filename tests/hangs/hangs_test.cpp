// Each hang program as a process of its own: the wrong one ends by itself with the verdict that lies beside it, the
// fixed one ends well under many schedules. RANKLINT_UPDATE=1 writes the verdicts anew; read the difference.
#include <catch2/catch.hpp>

#include <cstdlib>

#include "tests/hangs/outcome.h"

using namespace hangs;

static Outcome run(const std::string& name, const std::string& side, int schedules) {
  return run_command(std::string(HANG_PROGRAMS) + " " + name + " " + side + " --schedules " +
                     std::to_string(schedules) + " 2>/dev/null");
}

TEST_CASE("every wrong hang program ends with the verdict beside it") {
  for (const std::string& name : programs("wrong")) {
    const Outcome outcome = run(name, "wrong", 1);
    if (std::getenv("RANKLINT_UPDATE")) std::ofstream(programs_folder() / name / "verdict.json") << outcome.output;
    INFO(name);
    CHECK(outcome.exit_code == 1);
    CHECK(outcome.output == expected_verdict(name));
  }
}

TEST_CASE("a wrong hang program has one verdict under every schedule") {
  constexpr int kRuns = 5;
  for (const std::string& name : programs("wrong")) {
    for (int i = 0; i < kRuns; ++i) CHECK(run(name, "wrong", 1).output == expected_verdict(name));
  }
}

TEST_CASE("every fixed hang program ends well under many schedules") {
  for (const std::string& name : programs()) {
    INFO(name);
    const Outcome outcome = run(name, "fixed", name == "slow_not_dead" ? 2 : 200);
    CHECK(outcome.output == "");
    CHECK(outcome.exit_code == 0);
  }
}

TEST_CASE("flight records that can not be written are a usage error and no verdict") {
  const std::string below_a_file = std::string(HANG_PROGRAMS) + "/rank_";
  const Outcome outcome =
      run_command(std::string(HANG_PROGRAMS) + " guarded_barrier fixed --records " + below_a_file + " 2>&1");
  CHECK(outcome.output == below_a_file + "0: the flight record can not be written\n");
  CHECK(outcome.exit_code == 2);
}

TEST_CASE("there are at least 25 pairs of hang programs") {
  size_t pairs = 0;
  for (const std::string& name : programs())
    pairs += fs::exists(programs_folder() / name / "wrong.cpp") && fs::exists(programs_folder() / name / "fixed.cpp");
  CHECK(pairs >= 25);
}
