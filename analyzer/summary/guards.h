// What ranks may disagree on that decides whether they come to a block.
#pragma once

#include "analyzer/summary/summary.h"

namespace ranklint {

// The conditions on which ranks may disagree that lead to the block, joined. Invalid: none. The summary may be one that
// is being made, as far as the block.
ValueId guard_of(ValueStore& values, const Summary& s, const ir::Function& f, ir::BlockId block);

// Whether there is one.
bool is_guarded(const ValueStore& values, const Summary& s, const ir::Function& f, ir::BlockId block);

}  // namespace ranklint
