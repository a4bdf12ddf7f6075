#include "rules/problems.h"

namespace ranklint::window_conflict {

constexpr RuleInfo kInfo{.id = "window-conflict",
                         .code = "RL817",
                         .summary = "two accesses of window memory that nothing orders",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the result is wrong"};

static void check(const Facts& facts, Reporter& report) {
  report_problems(kInfo, facts, worlds::ProblemKind::WindowConflict, report);
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::window_conflict
