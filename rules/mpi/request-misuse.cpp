#include "rules/problems.h"

namespace ranklint::request_misuse {

constexpr RuleInfo kInfo{.id = "request-misuse",
                         .code = "RL810",
                         .summary = "a request is started twice, or freed or cancelled when it may not be",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the call fails"};

static void check(const Facts& facts, Reporter& report) {
  report_problems(kInfo, facts, worlds::ProblemKind::RequestMisuse, report);
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::request_misuse
