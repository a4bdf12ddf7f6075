#include "analyzer/base/check.h"
#include "frontends/python/lowering.h"

namespace ranklint::python {

using ir::BlockId;

void diagnose(Scope& s, NodeId n, std::string message) {
  s.file.module.diagnostics.push_back({.range = s.range(n), .message = std::move(message)});
}

ir::ExprId unknown_expression(Scope& s, NodeId n, std::string_view what) {
  ++s.file.module.unknown_count;
  diagnose(s, n, std::string(what) + " could not be read");
  return s.ir.unknown(what);
}

void unknown_statement(Scope& s, NodeId n, std::string_view what, ir::ExprId value) {
  ++s.file.module.unknown_count;
  diagnose(s, n, std::string(what) + " could not be read");
  s.ir.add({.kind = ir::InstructionKind::Unknown, .value = value, .symbol = s.ir.symbol(what), .range = s.range(n)});
}

SourceRange span(const SourceRange& first, const SourceRange& last) {
  return {first.line, first.column, last.end_line, last.end_column};
}

BlockId block_of(Scope& s, Label& label) {
  if (!label.block.valid()) label.block = s.ir.add_block(label.hint);
  return label.block;
}

void jump(Scope& s, Label& label, SourceRange range) {
  if (s.reachable()) s.ir.jump(block_of(s, label), range);
}

void branch(Scope& s, ir::ExprId condition, Label& if_true, Label& if_false, SourceRange range, bool is_loop) {
  const BlockId on_true = block_of(s, if_true);
  s.ir.branch(condition, on_true, block_of(s, if_false), range, is_loop);
}

void place(Scope& s, Label& label) {
  jump(s, label);
  if (label.block.valid()) place_handler(s, label.block);
}

BlockId handler_block(Scope& s, std::string_view hint) { return s.ir.add_block(hint); }

void place_handler(Scope& s, BlockId block) {
  s.ir.function().blocks[block].handler = s.ir.handler();
  s.ir.set_block(block);
  s.order.push_back(block);
}

void set_handler(Scope& s, BlockId handler, std::string_view hint) {
  if (s.ir.handler() == handler) return;
  s.ir.set_handler(handler);
  if (!s.reachable()) return;
  if (s.ir.function().blocks[s.ir.block()].instructions.empty()) {
    s.ir.function().blocks[s.ir.block()].handler = handler;
    return;
  }
  Label next{hint};
  place(s, next);
}

// A `finally` whose body holds another one, many levels deep, has a number of paths that grows as a power.
// Copies are paid for by their size.
void lower_copy(Scope& s, NodeId body) {
  constexpr size_t kMaxCopiedNodes = 200'000;
  s.file.copied_nodes += s.node(body).size;
  if (s.file.copied_nodes < kMaxCopiedNodes) return lower_statement(s, body);
  unknown_statement(s, body, "finally on too many paths");
}

static void leave_region(Scope& s, const Region& region) {
  switch (region.kind) {
    case Region::Kind::Loop: return;
    case Region::Kind::With:
      set_handler(s, region.outer_handler, "exit");
      s.ir.add(region.exit);
      return;
    case Region::Kind::Finally:
      set_handler(s, region.outer_handler, "finally");
      return lower_copy(s, region.finally_body);
  }
}

void leave_regions(Scope& s, size_t keep) {
  const BlockId handler = s.ir.handler();
  std::vector<Region> left(s.regions.begin() + static_cast<ptrdiff_t>(keep), s.regions.end());
  for (size_t i = left.size(); i > 0 && s.reachable(); --i) {
    s.regions.resize(keep + i - 1);
    leave_region(s, left[i - 1]);
  }
  s.regions.resize(keep);
  s.regions.insert(s.regions.end(), left.begin(), left.end());
  // Other code jumps to what follows; it has the exception handler of where it stands.
  s.ir.set_handler(handler);
}

// A handler of what turned out to raise nothing is never reached.
static std::vector<bool> reachable_blocks(const ir::Function& f) {
  std::vector<bool> reached(f.blocks.size());
  std::vector<BlockId> open{BlockId{0}};
  while (!open.empty()) {
    const BlockId block = open.back();
    open.pop_back();
    if (!block.valid() || reached[block.index]) continue;
    reached[block.index] = true;
    const ir::Terminator& end = f.blocks[block].terminator;
    open.insert(open.end(), {f.blocks[block].handler, end.successors[0], end.successors[1]});
  }
  return reached;
}

// Blocks are made when they are first jumped to; they are to stand in the order of the source.
static void put_in_order(Scope& s) {
  ir::Function& f = s.ir.function();
  if (f.blocks.size() == 1) return;
  const std::vector<bool> reached = reachable_blocks(f);
  std::vector<BlockId> number(f.blocks.size());
  CompactIdVector<BlockId, ir::Block> blocks;
  for (const BlockId old : s.order)
    if (reached[old.index]) number[old.index] = blocks.push_back(std::move(f.blocks[old]));
  const auto renumber = [&](BlockId& block) {
    if (!block.valid()) return;
    block = number[block.index];
    RANKLINT_CHECK(block.valid(), "a block is jumped to and never placed");
  };
  for (ir::Block& block : blocks) {
    renumber(block.handler);
    for (BlockId& successor : block.terminator.successors) renumber(successor);
  }
  f.blocks = std::move(blocks);
}

void finish_function(Scope& s, SourceRange end) {
  if (s.reachable()) s.ir.return_({}, end);
  put_in_order(s);
}

}  // namespace ranklint::python
