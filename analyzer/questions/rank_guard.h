// The condition on which ranks part that decides whether a block is reached.
#pragma once

#include "analyzer/summary/query.h"

namespace ranklint {

// The branch with the innermost that varies along an axis; invalid: all ranks reach the block.
ir::BlockId rank_guard_of(const Query& query, const Summary& summary, ir::BlockId block);
// Likewise, or one on what a rank has by itself (its files, its clock).
ir::BlockId diverging_guard_of(const ValueStore& values, const Summary& summary, ir::BlockId block);

}  // namespace ranklint
