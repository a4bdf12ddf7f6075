#include "rules/problems.h"

namespace ranklint::message_race {

constexpr RuleInfo kInfo{.id = "message-race",
                         .code = "RL806",
                         .summary = "which message a wildcard receive takes is open, and it matters",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "the result depends on who comes first"};

static void check(const Facts& facts, Reporter& report) {
  report_problems(kInfo, facts, worlds::ProblemKind::MessageRace, report);
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::message_race
