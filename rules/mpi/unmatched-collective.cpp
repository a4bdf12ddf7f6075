#include "rules/problems.h"

namespace ranklint::unmatched_collective {

constexpr RuleInfo kInfo{.id = "unmatched-collective",
                         .code = "RL801",
                         .summary = "ranks of a communicator reach different collectives, or some reach none",
                         .severity = Severity::Error,
                         .since = "0.1"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  return problems_of(kInfo, shared, mpi_check::ProblemKind::CollectiveMismatch);
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::unmatched_collective
