#include "rules/problems.h"

namespace ranklint::send_cycle {

constexpr RuleInfo kInfo{.id = "send-cycle",
                         .code = "RL804",
                         .summary = "blocking sends that return only if the library buffers them",
                         .severity = Severity::Error,
                         .since = "0.1"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  return problems_of(kInfo, shared, mpi_check::ProblemKind::SendCycle);
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::send_cycle
