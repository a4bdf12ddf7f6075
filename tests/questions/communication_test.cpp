// What a step communicates, calls followed; the events of a project; functions that are handed over.
#include "analyzer/questions/communication.h"

#include <catch2/catch.hpp>

#include "analyzer/questions/events.h"
#include "analyzer/questions/handed_over.h"
#include "analyzer/questions/listed_ranks.h"
#include "tests/questions/asked.h"

namespace ranklint::test {
namespace {

const std::string kCalls =
    "func meet(x, group, barrier) {\n^entry:\n  branch barrier ? ^then : ^join\n^then:\n"
    "  call dist.all_reduce(x, group=group)\n  jump ^join\n^join:\n  return\n}\n"
    "func through(x, group) {\n^entry:\n  call meet(x, group, True)\n  return\n}\n"
    "func f(x, tp_group) {\n^entry:\n  call meet(x, tp_group, True)\n  call through(x, tp_group)\n"
    "  call meet(x, tp_group, False)\n  call dist.barrier()\n  call other(x)\n  return\n}\n";

// "all_reduce on tp", of each step of the function, in their order.
std::vector<std::string> communications(const Asked& asked, std::string_view function) {
  std::vector<std::string> found;
  for (const BlockSteps& block : asked.summary(function).blocks)
    for (const Step& step : block.steps) {
      const std::optional<Communication> c = communication_of(asked.in(), step);
      found.push_back(c ? c->model->op + " on " + group_name(asked.in(), *c) : "nothing");
    }
  return found;
}

}  // namespace

TEST_CASE("a step communicates what its callees do, on the group that they are handed, if the arguments let them") {
  const Asked asked(kCalls);
  CHECK(communications(asked, "f") ==
        std::vector<std::string>{"all_reduce on tp", "all_reduce on tp", "nothing", "barrier on world"});
}

TEST_CASE("the place of a communication is that of the step, the callee's is its own") {
  const Asked asked(kCalls);
  const Step& step = asked.summary("f").blocks[0].steps[0];
  const std::optional<Communication> c = communication_of(asked.in(), step);
  REQUIRE(c);
  CHECK(c->place == step.range);
  CHECK(c->certainty.degree() == Confidence::Certain);
}

TEST_CASE("each event is visited once, with its function and its block") {
  const Asked asked(kCalls);
  std::string visited;
  each_event(asked.in(), "test", [&](const Summary& s, ir::BlockId b, const Step& step) {
    visited += std::string(asked.index().qualified_name(s.function)) + "." + std::to_string(b.index) + ":" +
               step.event->model->op + " ";
  });
  CHECK(visited == "meet.1:all_reduce f.0:barrier ");
}

TEST_CASE("a list of ranks names them where all of it is known, a range where it is not too long") {
  const auto listed = [](const std::string& list) -> std::string {
    const Asked asked("func f(n) {\n^entry:\n" + list +
                      "  group = call dist.new_group(ranks)\n  call dist.barrier(group=group)\n  return\n}\n");
    for (const BlockSteps& block : asked.summary("f").blocks)
      for (const Step& step : block.steps)
        if (step.event && step.event->ranks.valid()) {
          const std::optional<ListedRanks> ranks = listed_ranks(asked.in(), step.event->ranks);
          std::string text = ranks ? "" : "unknown";
          if (ranks)
            for (const int64_t rank : *ranks) text += std::to_string(rank) + " ";
          return text;
        }
    return "no list";
  };
  CHECK(listed("  ranks = [0, 3, 1, 3]\n") == "0 1 3 ");
  CHECK(listed("  %0 = call range(4)\n  ranks = call list(%0)\n") == "0 1 2 3 ");
  CHECK(listed("  ranks = [0, n]\n") == "unknown");
  CHECK(listed("  ranks = [0, 100]\n") == "0 100 ");
  CHECK(listed("  ranks = call range(60, 64)\n") == "60 61 62 63 ");
  CHECK(listed("  ranks = call range(60, 65)\n") == "unknown");
}

TEST_CASE("a function that is handed over is found where it is called, out of a closure too") {
  const Asked asked(
      "func load(x, factory) {\n^entry:\n  call make(x, factory)\n  return\n}\n"
      "func make(x, build) {\n^entry:\n  call build(x)\n  return\n}\n"
      "func wrap(x) {\n^entry:\n  return x\n}\n"
      "func f(x) {\n^entry:\n  call load(x, factory=wrap)\n  return\n}\n");
  Callers callers(asked.in());
  REQUIRE(callers.of(asked.function("make")).size() == 1);
  CHECK(callers.of(asked.function("make"))[0].link.function == asked.function("load"));
  CHECK(callers.of(asked.function("f")).empty());
  const ValueId wrap = asked.in().function_value(asked.function("wrap"));
  std::vector<std::string> ways;
  callers.each_handed_over([&](ValueId v) { return v == wrap; },
                           [&](const std::vector<Link>& way, const Call&, SourceRange) {
                             ways.emplace_back();
                             for (const Link& link : way)
                               ways.back() += std::string(asked.index().qualified_name(link.function)) + " ";
                           });
  CHECK(ways == std::vector<std::string>{"f load make "});
}

}  // namespace ranklint::test
