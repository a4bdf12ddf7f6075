// The branch on a rank that decides whether a block is reached.
#pragma once

#include "analyzer/summary/interpreter.h"

namespace ranklint {

// The innermost one; invalid: all ranks reach the block.
ir::BlockId rank_guard_of(Interpreter& interpreter, const Summary& summary, ir::BlockId block);

}  // namespace ranklint
