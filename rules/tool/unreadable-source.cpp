// Reported by the application, which reads the files (app/cli/sources).
#include "rules/rule.h"

namespace ranklint::unreadable_source {

constexpr RuleInfo kInfo{.id = "unreadable-source",
                         .code = "RL903",
                         .summary = "a file can not be read, or not as text",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "about the source"};

extern const Rule kRule;
const Rule kRule{&kInfo, nullptr};

}  // namespace ranklint::unreadable_source
