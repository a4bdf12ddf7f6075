// Reported by the application from what the frontends could not parse.
#include "rules/rule.h"

namespace ranklint::partial_parse {

constexpr RuleInfo kInfo{.id = "partial-parse",
                         .code = "RL904",
                         .summary = "a place in a file does not parse",
                         .severity = Severity::Info,
                         .since = "0.1",
                         .no_wait = "about the source"};

extern const Rule kRule;
const Rule kRule{&kInfo, nullptr};

}  // namespace ranklint::partial_parse
