// Options that a project has and that no program of it uses.
#pragma once

#include "analyzer/execution/path_condition.h"

namespace ranklint {

class Query;

// Whether one of the choices gives a dataclass's option a value other than its default, although the project's programs
// make such objects and never set the option: code outside the project uses it.
bool uses_unused_option(const Query& query, const PathCondition& choices);

// Whether the model that the callee runs is wrapped only where such an option, or an argument that no caller gives a
// constructor, says so.
bool is_wrapped_by_unused_option(const Query& query, ValueId callee);

}  // namespace ranklint
