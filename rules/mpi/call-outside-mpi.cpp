#include "rules/problems.h"

namespace ranklint::call_outside_mpi {

constexpr RuleInfo kInfo{
    .id = "call-outside-mpi",
    .code = "RL815",
    .summary = "MPI is called before it is initialised or after it is finalised, or never finalised",
    .severity = Severity::Error,
    .since = "0.1",
    .no_wait = "the call fails"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  return problems_of(kInfo, shared, mpi_check::ProblemKind::OutsideMpi);
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::call_outside_mpi
