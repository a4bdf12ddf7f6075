#include "rules/problems.h"

namespace ranklint::unmatched_message {

constexpr RuleInfo kInfo{.id = "unmatched-message",
                         .code = "RL803",
                         .summary = "a send or a receive that no other rank answers",
                         .severity = Severity::Error,
                         .since = "0.1"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  return problems_of(kInfo, shared, mpi_check::ProblemKind::UnmatchedMessage);
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::unmatched_message
