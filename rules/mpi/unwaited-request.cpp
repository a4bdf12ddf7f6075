#include "rules/problems.h"

namespace ranklint::unwaited_request {

constexpr RuleInfo kInfo{.id = "unwaited-request",
                         .code = "RL809",
                         .summary = "a request that nobody waits for",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the result is wrong"};

static void check(const Facts& facts, Reporter& report) {
  report_problems(kInfo, facts, worlds::ProblemKind::RequestNotCompleted, report);
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::unwaited_request
