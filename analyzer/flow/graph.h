// The shape of one function's control flow: order, predecessors, dominance from both ends, loops.
//
// Only edges of terminators count; callers that need exceptional edges follow them themselves. Dominators by Cooper,
// Harvey and Kennedy, "A Simple, Fast Dominance Algorithm"; post-dominators are the same on the reversed graph
// with one virtual exit after every block that leaves the function.
#pragma once

#include <map>
#include <memory>
#include <span>
#include <vector>

#include "analyzer/ir/ir.h"

namespace ranklint {

class FlowGraph {
 public:
  explicit FlowGraph(const ir::Function& function);
  // The same. Functions of one block that leads nowhere share one.
  static std::shared_ptr<const FlowGraph> of(const ir::Function& function);

  // Blocks reachable from the entry, or from a handler of such a block, each before its successors but for loops.
  const std::vector<ir::BlockId>& order() const { return order_; }
  uint32_t position(ir::BlockId block) const { return position_[block.index]; }
  bool reachable(ir::BlockId block) const { return position_[block.index] != kUnreachable; }

  const std::vector<ir::BlockId>& predecessors(ir::BlockId block) const { return predecessors_[block.index]; }
  static std::vector<ir::BlockId> successors(const ir::Block& block);

  // Invalid for the entry.
  ir::BlockId dominator(ir::BlockId block) const { return dominator_[block.index]; }
  bool dominates(ir::BlockId a, ir::BlockId b) const {
    return a == b || contains(dominated_[a.index], dominated_[b.index]);
  }
  // The numbers of a block and of all that it dominates, in an order in which these stand in a row.
  struct Dominated {
    uint32_t number = UINT32_MAX, end = UINT32_MAX;  // equal: no way leads to the block
  };
  Dominated dominated(ir::BlockId block) const { return dominated_[block.index]; }
  static bool contains(Dominated above, Dominated below) {
    return above.number <= below.number && below.number < above.end;
  }
  // The blocks whose failure leads to this one.
  std::vector<ir::BlockId> handled_by(ir::BlockId handler) const;
  // Invalid when only the end of the function post-dominates.
  ir::BlockId join(ir::BlockId block) const { return join_[block.index]; }

  // Whether an edge into `block` comes from a block that it dominates.
  bool is_loop_header(ir::BlockId block) const { return header_[block.index]; }
  // The blocks of the loop with this header, the header included, sorted. Of a block that is no header, itself.
  std::span<const ir::BlockId> loop_blocks(ir::BlockId header) const;
  bool lies_in_loop(ir::BlockId block, ir::BlockId header) const;
  // The header of the innermost loop around the block, itself perhaps. Invalid: there is none.
  ir::BlockId loop_around(ir::BlockId block) const;

  static constexpr uint32_t kUnreachable = UINT32_MAX;

 private:
  void number(const ir::Function& function);
  void find_dominators();
  void number_dominators();
  void find_joins(const ir::Function& function);
  std::vector<ir::BlockId> find_loop(ir::BlockId header) const;

  std::vector<ir::BlockId> order_;
  std::vector<uint32_t> position_;
  std::vector<std::vector<ir::BlockId>> predecessors_;
  std::vector<std::vector<ir::BlockId>> successors_;
  std::vector<ir::BlockId> dominator_, join_;
  std::vector<Dominated> dominated_;
  std::vector<std::pair<ir::BlockId, ir::BlockId>> handled_;  // handler and block, sorted
  std::vector<ir::BlockId> handler_entries_;
  std::vector<bool> header_;
  std::map<ir::BlockId, std::vector<ir::BlockId>> loops_;  // by header
};

}  // namespace ranklint
