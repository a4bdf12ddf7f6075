// What may come after a place in a function's code.
#pragma once

#include <set>
#include <utility>
#include <vector>

#include "analyzer/flow/graph.h"

namespace ranklint {

// Where a block leads, but for the side that `while True:` never takes.
inline std::vector<ir::BlockId> ways_on(const ir::Function& f, const ir::Block& block) {
  std::vector<ir::BlockId> ways = FlowGraph::successors(block);
  const ir::Terminator& end = block.terminator;
  if (end.kind != ir::TerminatorKind::Branch || !end.value.valid() || ways.size() != 2) return ways;
  if (f.exprs[end.value].kind == ir::ExprKind::True) ways.pop_back();
  if (f.exprs[end.value].kind == ir::ExprKind::False) ways.erase(ways.begin());
  return ways;
}

enum class Way : uint8_t { GoesOn, Ends, Found };

// Whether one of the ways on from before an instruction comes to what is looked for. `at_instruction(i)` and
// `at_end(terminator)` say of each instruction and each end of a block on a way whether that is it, or whether the way
// is of no interest from there on.
template <typename AtInstruction, typename AtEnd>
bool comes_to(const ir::Function& f, ir::BlockId block, uint32_t instruction, const AtInstruction& at_instruction,
              const AtEnd& at_end) {
  std::set<ir::BlockId> seen;
  std::vector<std::pair<ir::BlockId, uint32_t>> work{{block, instruction}};
  while (!work.empty()) {
    const ir::Block& here = f.blocks[work.back().first];
    uint32_t n = work.back().second;
    work.pop_back();
    Way way = Way::GoesOn;
    for (; n < here.instructions.size() && way == Way::GoesOn; ++n) way = at_instruction(here.instructions[n]);
    if (way == Way::GoesOn) way = at_end(here.terminator);
    if (way == Way::Found) return true;
    if (way == Way::Ends) continue;
    for (const ir::BlockId next : ways_on(f, here))
      if (seen.insert(next).second) work.emplace_back(next, 0);
  }
  return false;
}

}  // namespace ranklint
