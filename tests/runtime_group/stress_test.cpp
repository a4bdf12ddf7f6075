#include "tests/runtime_group/random_program.h"
#include "tests/runtime_group/support.h"

namespace ranklint::runtime::test {

namespace {

constexpr uint64_t kPrograms = 700;  // per mode

Mode mode_of(uint64_t round) { return static_cast<Mode>(round % 3); }

}  // namespace

TEST_CASE("no correct random program is blamed, and its values are right") {
  for (uint64_t round = 0; round < 3 * kPrograms; ++round) {
    const Program program = random_program(1 + round);
    const WorldReport report = run(program, mode_of(round));
    INFO(program.text() << "\n" << report.verdict.to_text());
    REQUIRE(report.ok());
  }
}

TEST_CASE("every random program with one planted fault is caught") {
  for (uint64_t round = 0; round < 3 * kPrograms; ++round) {
    Program program = random_program(1000000 + round);
    plant_fault(program);
    const WorldReport report = run(program, mode_of(round));
    INFO(program.text());
    REQUIRE(!report.ok());
  }
}

}  // namespace ranklint::runtime::test
