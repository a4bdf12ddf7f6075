#include <cstdlib>

#include "tests/runtime_group/random_program.h"
#include "tests/runtime_group/support.h"

namespace ranklint::runtime::test {

namespace {

// Per mode. RANKLINT_STRESS_PROGRAMS asks for more: some tens of thousands, once in a while.
uint64_t programs() {
  const char* const asked = std::getenv("RANKLINT_STRESS_PROGRAMS");
  return asked ? std::strtoull(asked, nullptr, 10) : 700;
}

Mode mode_of(uint64_t round) { return static_cast<Mode>(round % 3); }

}  // namespace

TEST_CASE("no correct random program is blamed, and its values are right") {
  for (uint64_t round = 0; round < 3 * programs(); ++round) {
    const Program program = random_program(1 + round);
    const WorldReport report = run(program, mode_of(round));
    INFO(program.text() << "\n" << report.verdict.to_text());
    REQUIRE(report.ok());
  }
}

TEST_CASE("every random program with one planted fault is caught") {
  for (uint64_t round = 0; round < 3 * programs(); ++round) {
    Program program = random_program(1000000 + round);
    plant_fault(program);
    const WorldReport report = run(program, mode_of(round));
    INFO(program.text() << "\n" << report.verdict.to_text());
    REQUIRE(!report.ok());
    if (program.fault.kind == Fault::Kind::Throw) REQUIRE(report.verdict.kind == VerdictKind::PeerThrew);
    if (program.fault.kind == Fault::Kind::Return) REQUIRE(report.verdict.kind == VerdictKind::PeerExited);
  }
}

}  // namespace ranklint::runtime::test
