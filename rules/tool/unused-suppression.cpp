// Reported by the application, which applies the comments (app/suppress).
#include "rules/rule.h"

namespace ranklint::unused_suppression {

constexpr RuleInfo kInfo{.id = "unused-suppression",
                         .code = "RL901",
                         .summary = "a comment ignores a rule that reports nothing there",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "about a comment"};

extern const Rule kRule;
const Rule kRule{&kInfo, nullptr};

}  // namespace ranklint::unused_suppression
