#include <catch2/catch.hpp>

#include <random>

#include "analyzer/flow/graph.h"

namespace ranklint {
namespace {

using ir::BlockId;

// Blocks that go anywhere, some of which fail into others.
ir::Function random_function(std::mt19937& random) {
  ir::Function function;
  const uint32_t count = 1 + random() % 40;
  const auto any = [&] { return BlockId{static_cast<uint32_t>(random() % count)}; };
  for (uint32_t b = 0; b < count; ++b) {
    ir::Block block;
    constexpr ir::TerminatorKind kKinds[] = {ir::TerminatorKind::Jump, ir::TerminatorKind::Branch,
                                             ir::TerminatorKind::Branch, ir::TerminatorKind::Return,
                                             ir::TerminatorKind::Raise};
    block.terminator.kind = kKinds[random() % std::size(kKinds)];
    block.terminator.successors[0] = any();
    block.terminator.successors[1] = any();
    if (random() % 4 == 0) block.handler = any();
    function.blocks.push_back(block);
  }
  return function;
}

bool is_above(const FlowGraph& graph, BlockId above, BlockId block) {
  while (block.valid() && block != above) block = graph.dominator(block);
  return block.valid();
}

}  // namespace

TEST_CASE("a block dominates itself and what its dominators lead to") {
  std::mt19937 random(1);
  for (int round = 0; round < 500; ++round) {
    const ir::Function function = random_function(random);
    const FlowGraph graph(function);
    for (BlockId a{0}; a.index < function.blocks.size(); ++a.index)
      for (BlockId b{0}; b.index < function.blocks.size(); ++b.index)
        REQUIRE(graph.dominates(a, b) == is_above(graph, a, b));
  }
}

TEST_CASE("the blocks that fail into a handler are those that name it") {
  std::mt19937 random(2);
  const ir::Function function = random_function(random);
  const FlowGraph graph(function);
  for (BlockId handler{0}; handler.index < function.blocks.size(); ++handler.index) {
    std::vector<BlockId> failing;
    for (BlockId b{0}; b.index < function.blocks.size(); ++b.index)
      if (function.blocks[b].handler == handler) failing.push_back(b);
    CHECK(graph.handled_by(handler) == failing);
  }
}

TEST_CASE("functions of one block that leads nowhere share a graph, and no others do") {
  ir::Function one, again, loop, fails;
  for (ir::Function* f : {&one, &again, &loop, &fails}) f->blocks.push_back({});
  loop.blocks[BlockId{0}].terminator = {.kind = ir::TerminatorKind::Jump, .successors = {BlockId{0}, {}}};
  fails.blocks[BlockId{0}].handler = BlockId{0};
  CHECK(FlowGraph::of(one) == FlowGraph::of(again));
  CHECK(FlowGraph::of(one)->reachable(BlockId{0}));
  CHECK_FALSE(FlowGraph::of(one)->is_loop_header(BlockId{0}));
  CHECK(FlowGraph::of(loop) != FlowGraph::of(one));
  CHECK(FlowGraph::of(loop)->is_loop_header(BlockId{0}));
  CHECK(FlowGraph::of(fails) != FlowGraph::of(one));
}

}  // namespace ranklint
