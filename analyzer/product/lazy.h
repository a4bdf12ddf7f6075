// Things that are made when they are first needed and kept: a group below `if key not in groups`.
#pragma once

#include "analyzer/summary/summary.h"

namespace ranklint {

// Which successor of a branch makes what the branch has found missing, and keeps it where the branch looked.
// Nothing when the branch is none that asks for something kept.
std::optional<uint32_t> filling_side(const ProjectIndex& index, const Roles& roles, const Summary& summary,
                                     ir::BlockId branch);

}  // namespace ranklint
