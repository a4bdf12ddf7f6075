#include "analyzer/flow/graph.h"

#include <algorithm>
#include <set>

#include "analyzer/base/work_limit.h"

namespace ranklint {

using ir::BlockId;

// Every traversal of a function calls this for each block, so here it is charged.
std::vector<BlockId> FlowGraph::successors(const ir::Block& block) {
  charge_work();
  const ir::Terminator& end = block.terminator;
  switch (end.kind) {
    case ir::TerminatorKind::Jump: return {end.successors[0]};
    case ir::TerminatorKind::Branch:
    case ir::TerminatorKind::Iterate:
    case ir::TerminatorKind::Except:
      if (end.successors[0] == end.successors[1]) return {end.successors[0]};
      return {end.successors[0], end.successors[1]};
    case ir::TerminatorKind::Raise:
      if (block.handler.valid()) return {block.handler};
      return {};
    case ir::TerminatorKind::Return:
    case ir::TerminatorKind::Unreachable: return {};
  }
  return {};
}

std::shared_ptr<const FlowGraph> FlowGraph::of(const ir::Function& function) {
  const auto of_one_block = [] {
    ir::Function f;
    f.blocks.push_back({});
    return std::make_shared<const FlowGraph>(f);
  };
  const bool is_one = function.blocks.size() == 1 && !function.blocks[BlockId{0}].handler.valid() &&
                      successors(function.blocks[BlockId{0}]).empty();
  if (!is_one) return std::make_shared<const FlowGraph>(function);
  static const std::shared_ptr<const FlowGraph> shared = of_one_block();
  return shared;
}

FlowGraph::FlowGraph(const ir::Function& function) {
  const size_t count = function.blocks.size();
  position_.assign(count, kUnreachable);
  predecessors_.resize(count);
  successors_.resize(count);
  dominator_.resize(count);
  dominated_.resize(count);
  join_.resize(count);
  header_.assign(count, false);
  for (uint32_t b = 0; b < count; ++b) {
    successors_[b] = successors(function.blocks[BlockId{b}]);
    if (const BlockId handler = function.blocks[BlockId{b}].handler; handler.valid())
      handled_.emplace_back(handler, BlockId{b});
  }
  std::sort(handled_.begin(), handled_.end());
  if (count == 0) return;
  number(function);
  for (BlockId block : order_)
    for (BlockId next : successors_[block.index]) predecessors_[next.index].push_back(block);
  // Any block of a `try` may fail: for dominance, and for that only, an edge leads from it to the handler.
  const auto of_terminators = predecessors_;
  const std::set<BlockId> entries(handler_entries_.begin(), handler_entries_.end());
  for (BlockId block : order_)
    if (const BlockId handler = function.blocks[block].handler; entries.contains(handler))
      predecessors_[handler.index].push_back(block);
  find_dominators();
  number_dominators();
  predecessors_ = of_terminators;
  for (BlockId block : order_)
    for (BlockId from : predecessors_[block.index])
      if (dominates(block, from)) header_[block.index] = true;
  for (BlockId block : order_)
    if (header_[block.index]) loops_.emplace(block, find_loop(block));
  find_joins(function);
}

// Reverse post-order by an explicit stack. Handlers that only exceptions reach are entries of their own.
void FlowGraph::number(const ir::Function& function) {
  std::vector<bool> seen(function.blocks.size(), false);
  std::vector<std::vector<BlockId>> parts;
  auto visit = [&](BlockId entry) {
    std::vector<BlockId> post;
    std::vector<std::pair<BlockId, size_t>> stack{{entry, 0}};
    seen[entry.index] = true;
    while (!stack.empty()) {
      auto& [block, next] = stack.back();
      const auto& out = successors_[block.index];
      // Last successor first, so that in reverse the first stands first.
      if (next == out.size()) {
        post.push_back(block);
        stack.pop_back();
        continue;
      }
      BlockId to = out[out.size() - 1 - next++];
      if (!seen[to.index]) {
        seen[to.index] = true;
        stack.emplace_back(to, 0);
      }
    }
    std::reverse(post.begin(), post.end());
    order_.insert(order_.end(), post.begin(), post.end());
  };
  visit(BlockId{0});
  for (size_t i = 0; i < order_.size(); ++i) {
    BlockId handler = function.blocks[order_[i]].handler;
    if (handler.valid() && !seen[handler.index]) {
      handler_entries_.push_back(handler);
      visit(handler);
    }
  }
  for (uint32_t i = 0; i < order_.size(); ++i) position_[order_[i].index] = i;
}

void FlowGraph::find_dominators() {
  const BlockId entry = order_.front();
  std::vector<bool> by_exception(dominator_.size(), false);
  for (const BlockId handler : handler_entries_) by_exception[handler.index] = true;
  auto intersect = [&](BlockId a, BlockId b) {
    while (a != b) {
      while (position(a) > position(b)) a = dominator_[a.index];
      while (position(b) > position(a)) b = dominator_[b.index];
    }
    return a;
  };
  dominator_[entry.index] = entry;
  for (bool changed = true; changed;) {
    changed = false;
    for (BlockId block : order_) {
      if (block == entry) continue;
      BlockId best;
      for (BlockId from : predecessors_[block.index]) {
        if (!dominator_[from.index].valid()) continue;
        best = best.valid() ? intersect(best, from) : from;
      }
      // No block of the `try` need have been run to its end; what is before them all has. So a handler in a loop lies
      // in it.
      if (by_exception[block.index] && best.valid()) best = dominator_[best.index];
      if (best.valid() && dominator_[block.index] != best) {
        dominator_[block.index] = best;
        changed = true;
      }
    }
  }
  dominator_[entry.index] = BlockId{};
}

// Numbers the dominator tree in pre-order, so that a block and all that it dominates have consecutive numbers. In
// `order_` a block comes after its dominator.
void FlowGraph::number_dominators() {
  std::vector<uint32_t> size(dominator_.size(), 1), next(dominator_.size(), 0);
  uint32_t next_root = 0;
  for (auto block = order_.rbegin(); block != order_.rend(); ++block)
    if (const BlockId above = dominator_[block->index]; above.valid()) size[above.index] += size[block->index];
  for (const BlockId block : order_) {
    const BlockId above = dominator_[block.index];
    uint32_t& number = above.valid() ? next[above.index] : next_root;
    dominated_[block.index] = {number, number + size[block.index]};
    next[block.index] = number + 1;
    number += size[block.index];
  }
}

std::vector<BlockId> FlowGraph::handled_by(BlockId handler) const {
  std::vector<BlockId> blocks;
  for (auto at = std::ranges::lower_bound(handled_, std::pair(handler, BlockId{0}));
       at != handled_.end() && at->first == handler; ++at)
    blocks.push_back(at->second);
  return blocks;
}

void FlowGraph::find_joins(const ir::Function& function) {
  // Post-order of the reversed graph, the virtual exit first. Blocks in endless loops reach no exit and get none.
  const auto count = static_cast<uint32_t>(function.blocks.size());
  const uint32_t exit = count;
  std::vector<uint32_t> number(count + 1, UINT32_MAX), parent(count + 1, UINT32_MAX), sequence;
  std::vector<uint32_t> leaves;
  for (BlockId block : order_)
    if (successors_[block.index].empty()) leaves.push_back(block.index);
  std::vector<bool> seen(count + 1, false);
  std::vector<std::pair<uint32_t, size_t>> stack{{exit, 0}};
  seen[exit] = true;
  auto before = [&](uint32_t node, size_t i) -> uint32_t {
    if (node == exit) return i < leaves.size() ? leaves[i] : UINT32_MAX;
    const auto& in = predecessors_[node];
    return i < in.size() ? in[i].index : UINT32_MAX;
  };
  while (!stack.empty()) {
    auto& [node, next] = stack.back();
    uint32_t to = before(node, next++);
    if (to == UINT32_MAX) {
      sequence.push_back(node);
      stack.pop_back();
    } else if (!seen[to]) {
      seen[to] = true;
      stack.emplace_back(to, 0);
    }
  }
  std::reverse(sequence.begin(), sequence.end());
  for (uint32_t i = 0; i < sequence.size(); ++i) number[sequence[i]] = i;
  auto intersect = [&](uint32_t a, uint32_t b) {
    while (a != b) {
      while (number[a] > number[b]) a = parent[a];
      while (number[b] > number[a]) b = parent[b];
    }
    return a;
  };
  parent[exit] = exit;
  for (bool changed = true; changed;) {
    changed = false;
    for (uint32_t node : sequence) {
      if (node == exit) continue;
      uint32_t best = UINT32_MAX;
      auto consider = [&](uint32_t to) {
        if (parent[to] == UINT32_MAX) return;
        best = best == UINT32_MAX ? to : intersect(best, to);
      };
      for (BlockId to : successors_[node]) consider(to.index);
      if (successors_[node].empty()) consider(exit);
      if (best != UINT32_MAX && parent[node] != best) {
        parent[node] = best;
        changed = true;
      }
    }
  }
  for (uint32_t node = 0; node < count; ++node)
    if (parent[node] != UINT32_MAX && parent[node] != exit) join_[node] = BlockId{parent[node]};
}

std::span<const BlockId> FlowGraph::loop_blocks(BlockId header) const {
  if (const auto loop = loops_.find(header); loop != loops_.end()) return loop->second;
  return std::span(order_).subspan(position_[header.index], 1);
}

bool FlowGraph::lies_in_loop(BlockId block, BlockId header) const {
  return std::ranges::binary_search(loop_blocks(header), block);
}

BlockId FlowGraph::loop_around(BlockId block) const {
  for (BlockId header = block; header.valid(); header = dominator(header))
    if (is_loop_header(header) && lies_in_loop(block, header)) return header;
  return {};
}

std::vector<BlockId> FlowGraph::find_loop(BlockId header) const {
  std::vector<BlockId> blocks{header};
  std::vector<bool> inside(position_.size(), false);
  inside[header.index] = true;
  std::vector<BlockId> work;
  auto add = [&](BlockId block) {
    if (inside[block.index]) return;
    inside[block.index] = true;
    blocks.push_back(block);
    work.push_back(block);
  };
  for (BlockId from : predecessors_[header.index])
    if (dominates(header, from)) add(from);
  while (!work.empty()) {
    BlockId block = work.back();
    work.pop_back();
    for (BlockId from : predecessors_[block.index]) add(from);
  }
  std::sort(blocks.begin(), blocks.end());
  return blocks;
}

}  // namespace ranklint
