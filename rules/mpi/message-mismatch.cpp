#include "rules/problems.h"

namespace ranklint::message_mismatch {

constexpr RuleInfo kInfo{.id = "message-mismatch",
                         .code = "RL805",
                         .summary = "a message is received as another type, or in less memory than it needs",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the message is cut or taken for another type"};

static void check(const Facts& facts, Reporter& report) {
  report_problems(kInfo, facts, worlds::ProblemKind::MessageMismatch, report);
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::message_mismatch
