// The condition on which ranks diverge that decides whether a block is reached, and where the process of some ends.
#pragma once

#include <compare>

#include "analyzer/questions/code.h"
#include "analyzer/summary/query.h"

namespace ranklint {

// The branch with the innermost that varies along an axis; invalid: all ranks reach the block.
ir::BlockId rank_guard_of(const Query& query, const Summary& summary, ir::BlockId block);
// Likewise, or one on what a rank has by itself (its files, its clock).
ir::BlockId diverging_guard_of(const ValueStore& values, const Summary& summary, ir::BlockId block);

// Whether it is asserted on each way to the place that a rank is one of some: `assert rank == 0`.
bool is_below_rank_assertion(const Query& query, const Summary& summary, ProgramPoint place);

// Whether a process that reaches the end of the block has ended there.
bool ends_process(const BlockSteps& block);

// Which ranks get to a place: all, or those on one side of a branch.
struct RankSide {
  ir::BlockId branch;
  bool holds = true;
  friend auto operator<=>(const RankSide&, const RankSide&) = default;
};

// By the innermost branch on the rank that decides about a block, with a way around it or by leaving the loop's round.
RankSide rank_side_of(const Query& query, const Summary& summary, ir::BlockId block);

}  // namespace ranklint
