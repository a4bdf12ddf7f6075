// Reported by the application, which reads the comments (app/suppress).
#include "rules/rule.h"

namespace ranklint::unknown_rule {

constexpr RuleInfo kInfo{.id = "unknown-rule",
                         .code = "RL902",
                         .summary = "a comment names a rule that does not exist",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "about a comment"};

extern const Rule kRule;
const Rule kRule{&kInfo, nullptr};

}  // namespace ranklint::unknown_rule
