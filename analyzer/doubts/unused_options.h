// Options that a project has and that no program of it uses.
#pragma once

#include "analyzer/execution/path_condition.h"

namespace ranklint {

// Whether one of the choices gives a dataclass's option another value than its default, although the project's programs
// make such objects and leave it at that: whoever uses the option is elsewhere.
bool uses_unused_option(const Query& query, const PathCondition& choices);

}  // namespace ranklint
