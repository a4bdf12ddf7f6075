#include "rules/problems.h"

namespace ranklint::unmatched_message {

constexpr RuleInfo kInfo{.id = "unmatched-message",
                         .code = "RL803",
                         .summary = "a send or a receive that no other rank answers",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  report_problems(kInfo, facts, worlds::ProblemKind::UnmatchedMessage, report);
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::unmatched_message
