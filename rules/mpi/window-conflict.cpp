#include "rules/problems.h"

namespace ranklint::window_conflict {

constexpr RuleInfo kInfo{.id = "window-conflict",
                         .code = "RL817",
                         .summary = "two accesses of window memory that nothing orders",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the result is wrong"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  return problems_of(kInfo, shared, mpi_check::ProblemKind::WindowConflict);
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::window_conflict
