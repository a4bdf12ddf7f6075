// One place says what a rank does next: analyzer/execution/execution.cpp; a walk only chooses. Code that sends a rank
// on by itself asks how a block ends and takes one of its successors. So what mentions either is listed, with the
// reason why that is no walk of a rank. What makes, prints, shapes or interprets the IR is free to do both.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <iterator>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "tests/layers/counted_files.h"
#include "tests/layers/sources.h"

namespace ranklint::test {

namespace {

constexpr std::array<std::string_view, 5> kAtHome = {"frontends/", "analyzer/ir/", "analyzer/flow/", "analyzer/interp/",
                                                     "analyzer/execution/execution.cpp"};

constexpr std::string_view kCopies = "copies or hashes the IR as it is", kReached = "collects all that can be reached",
                           kStands = "asks on which side of a branch a block lies",
                           kWritten = "asks what is written on a side",
                           kNeverTaken = "leaves out a side that no rank takes, as its condition is a constant",
                           kEnds = "asks whether code returns, raises or ends there",
                           kJumps = "asks which loop a `break` or a `continue` leaves, for the message",
                           kWays = "turns the ways to a block into a condition",
                           kLeadsOn = "prefers the side that can lead to the next recorded step",
                           kHandlers = "finds the handlers of a `try`, which are asked one after the other",
                           kParts = "names the two sides of a branch from which a walk begins";

constexpr CountedFile kTakesSuccessors[] = {
    {"analyzer/doubts/alone_doubts.cpp", 2, kWritten},
    {"analyzer/doubts/check_then_create_race.cpp", 1, kWritten},
    {"analyzer/doubts/failure_doubts.cpp", 1, kEnds},
    {"analyzer/doubts/one_machine.cpp", 2, kWritten},
    {"analyzer/doubts/round_doubts.cpp", 2, kReached},
    {"analyzer/doubts/side_doubts.cpp", 2, kWritten},
    {"analyzer/execution/implied.cpp", 1, kWays},
    {"analyzer/execution/per_rank_executor.cpp", 1, kLeadsOn},
    {"analyzer/product/after_failure.cpp", 1, kParts},
    {"analyzer/product/lazy.cpp", 1, kWritten},
    {"analyzer/product/lockstep_diverged.cpp", 1, kStands},
    {"analyzer/product/lockstep_leaves.cpp", 3, kJumps},
    {"analyzer/program/set_ups.cpp", 1, kReached},
    {"analyzer/project/edit.cpp", 1, kCopies},
    {"analyzer/questions/brackets.cpp", 4, kStands},
    {"analyzer/questions/calls.cpp", 2, kStands},
    {"analyzer/questions/communication.cpp", 1, kNeverTaken},
    {"analyzer/questions/handed_over.cpp", 2, kNeverTaken},
    {"analyzer/questions/rank_guard.cpp", 1, kStands},
    {"analyzer/summary/guards.cpp", 1, kStands},
    {"app/cache/module_packing.cpp", 2, kCopies},
    {"rules/collectives/exception-skips-collective_handlers.cpp", 3, kHandlers},
    {"rules/collectives/exception-skips-collective_raises.cpp", 2, kStands},
    {"rules/collectives/memory_errors.cpp", 1, kWritten},
    {"rules/fsdp/wrapper_questions.cpp", 1, kWritten},
    {"rules/loading/grown_lists.cpp", 1, kReached},
    {"rules/p2p/unfilled-buffer_arms.cpp", 1, kReached},
};

constexpr CountedFile kAsksForEnds[] = {
    {"analyzer/doubts/failure_doubts.cpp", 4, kEnds},
    {"analyzer/doubts/local_doubts.cpp", 1, kEnds},
    {"analyzer/doubts/member_doubts.cpp", 1, kEnds},
    {"analyzer/doubts/missing_attributes.cpp", 1, kEnds},
    {"analyzer/doubts/one_machine.cpp", 1, kEnds},
    {"analyzer/execution/frames.cpp", 1, kEnds},
    {"analyzer/product/lazy.cpp", 1, kEnds},
    {"analyzer/product/lockstep_leaves.cpp", 3, kJumps},
    {"analyzer/product/lockstep_report.cpp", 1, kJumps},
    {"analyzer/program/wrapped_models.cpp", 1, kEnds},
    {"analyzer/questions/brackets.cpp", 1, kEnds},
    {"analyzer/questions/iteration_order.cpp", 1, kEnds},
    {"analyzer/questions/module_device.cpp", 1, kEnds},
    {"analyzer/resolve/index.cpp", 1, kEnds},
    {"analyzer/summary/dispatch.cpp", 2, kEnds},
    {"analyzer/summary/names.cpp", 1, kEnds},
    {"analyzer/summary/raises.cpp", 1, kEnds},
    {"app/cache/module_packing.cpp", 1, kCopies},
    {"rules/collectives/exception-skips-collective_handlers.cpp", 3, kHandlers},
    {"rules/collectives/exception-skips-collective_raises.cpp", 2, kEnds},
    {"rules/collectives/generator-collective.cpp", 1, kEnds},
    {"rules/collectives/memory_errors.cpp", 1, kEnds},
    {"rules/collectives/unwaited-work.cpp", 1, kEnds},
    {"rules/collectives/unwaited-work_started.cpp", 1, kEnds},
    {"rules/collectives/unwaited-work_uses.cpp", 1, kEnds},
    {"rules/fsdp/hiding_wrappers.cpp", 1, kEnds},
    {"rules/fsdp/hiding_wrappers_spread.cpp", 1, kEnds},
    {"rules/fsdp/wrapper_questions.cpp", 1, kEnds},
    {"rules/loading/epoch-not-set_flow.cpp", 1, kEnds},
    {"rules/sequence-parallel/sp-inputs-differ.cpp", 1, kEnds},
};

// All successors of a block, one after the other or handed on together, lead no rank anywhere; anything else may pick
// one.
bool takes_successor(const std::string& line) {
  static const std::regex kTakes("\\bsuccessors\\b"),
      kAllInTurn("^ *(for \\([^;]*: |(.*\\{ )?return (.* : )?)FlowGraph::successors\\([^()]*\\)[;)]");
  return std::regex_search(line, kTakes) && !std::regex_search(line, kAllInTurn);
}

// Whether a block asks at its end, as an `if` or a loop does, tells a walker nothing yet of where to go.
bool asks_for_end(const std::string& line) {
  static const std::regex kAsks("\\bTerminatorKind\\b(?!::(Branch|Iterate)\\b)");
  return std::regex_search(line, kAsks);
}

std::map<std::string, size_t> counted(const std::vector<Line>& sources, bool (*does)(const std::string&)) {
  std::map<std::string, size_t> found;
  for (const Line& line : sources) {
    const bool at_home =
        std::ranges::any_of(kAtHome, [&](std::string_view home) { return line.path.starts_with(home); });
    if (!at_home && does(line.text)) ++found[line.path];
  }
  return found;
}

}  // namespace

TEST_CASE("only what is listed takes a successor of a block or asks how one ends") {
  const std::vector<Line> sources = lines_of_sources(lines_of_repository());
  REQUIRE(sources.size() > 1000);
  CHECK(mistakes_in({std::begin(kTakesSuccessors), std::end(kTakesSuccessors)}, counted(sources, takes_successor)) ==
        std::vector<std::string>{});
  CHECK(mistakes_in({std::begin(kAsksForEnds), std::end(kAsksForEnds)}, counted(sources, asks_for_end)) ==
        std::vector<std::string>{});
}

TEST_CASE("every spelling of a step to a successor is found") {
  CHECK(takes_successor("  next = end.successors[yes ? 0 : 1];"));
  CHECK(takes_successor("  const auto& sides = block.terminator.successors;"));
  CHECK(takes_successor("  for (const ir::BlockId next : block.terminator.successors) work.push_back(next);"));
  CHECK(takes_successor("  return FlowGraph::successors(block).front();"));
  CHECK(takes_successor("  const auto next = FlowGraph::successors(f.blocks[at]);"));
  CHECK_FALSE(takes_successor("  for (const ir::BlockId next : FlowGraph::successors(block)) work.push_back(next);"));
}

TEST_CASE("every spelling of a question how a block ends is found, whether it asks is none") {
  CHECK(asks_for_end("    case ir::TerminatorKind::Jump: return side(at, 0);"));
  CHECK(asks_for_end("  if (end.kind == TerminatorKind::Jump) {"));
  CHECK(asks_for_end("  using enum ir::TerminatorKind;"));
  CHECK(asks_for_end("  using Kind = ir::TerminatorKind;"));
  CHECK_FALSE(asks_for_end("  if (end.kind != ir::TerminatorKind::Branch) return;"));
}

TEST_CASE("a walker in a file of its own is found, one at home is not") {
  const Line step{"analyzer/x/x.cpp", 1, "at = end.successors[0];"};
  CHECK(counted({step, step}, takes_successor) == std::map<std::string, size_t>{{"analyzer/x/x.cpp", 2}});
  CHECK(counted({{"analyzer/execution/execution.cpp", 1, step.text}}, takes_successor).empty());
}

}  // namespace ranklint::test
