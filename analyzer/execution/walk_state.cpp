#include "analyzer/execution/walk_state.h"

namespace ranklint {

bool makes_what_is_kept(const Frames& frames, const Position& filling, const Position& waiting) {
  const ir::BlockId block = filling.at_end() ? ir::BlockId{} : frames.block_in(filling.frame, waiting);
  return block.valid() && frames[filling.frame].summary->graph().dominates(filling.block, block);
}

}  // namespace ranklint
