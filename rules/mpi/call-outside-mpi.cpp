#include "rules/problems.h"

namespace ranklint::call_outside_mpi {

constexpr RuleInfo kInfo{
    .id = "call-outside-mpi",
    .code = "RL815",
    .summary = "MPI is called before it is initialised or after it is finalised, or never finalised",
    .severity = Severity::Error,
    .since = "0.1",
    .no_wait = "the call fails"};

static void check(const Facts& facts, Reporter& report) {
  report_problems(kInfo, facts, worlds::ProblemKind::OutsideMpi, report);
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::call_outside_mpi
