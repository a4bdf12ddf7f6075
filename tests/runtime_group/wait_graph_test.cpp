#include <catch2/catch.hpp>

#include "runtime/group/watch/wait_graph.h"

namespace ranklint::runtime::test {

namespace {

using Needs = WaitCondition::Needs;
using Stuck = std::vector<bool>;

WaitNode running() { return {}; }
WaitNode gone() { return {.state = WaitNode::State::Gone, .conditions = {}}; }
WaitNode waiting(Needs needs, std::vector<int> targets) {
  return {.state = WaitNode::State::Waiting, .conditions = {{needs, std::move(targets)}}};
}

}  // namespace

TEST_CASE("who waits for a running rank is not stuck, nor who waits for that") {
  CHECK(find_stuck({running(), waiting(Needs::AllOf, {0}), waiting(Needs::AllOf, {1})}) == Stuck{false, false, false});
}

TEST_CASE("a circle is stuck, and who waits for one in it") {
  CHECK(find_stuck({waiting(Needs::AllOf, {1}), waiting(Needs::AllOf, {0}), waiting(Needs::AllOf, {0}), running()}) ==
        Stuck{true, true, true, false});
}

TEST_CASE("one target that can not come is enough when all are needed") {
  CHECK(find_stuck({waiting(Needs::AllOf, {1, 2}), running(), gone()}) == Stuck{true, false, false});
}

TEST_CASE("one target that can come is enough when any will do") {
  CHECK(find_stuck({waiting(Needs::AnyOf, {1, 2}), running(), gone()}) == Stuck{false, false, false});
  CHECK(find_stuck({waiting(Needs::AnyOf, {1, 2}), gone(), gone()}) == Stuck{true, false, false});
}

TEST_CASE("a rank that waits for several things is stuck when one of them is hopeless") {
  WaitNode both = waiting(Needs::AllOf, {1});
  both.conditions.push_back({Needs::Nothing, {}});
  CHECK(find_stuck({both, running()}) == Stuck{true, false});
}

}  // namespace ranklint::runtime::test
