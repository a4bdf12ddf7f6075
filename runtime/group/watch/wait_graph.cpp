#include "runtime/group/watch/wait_graph.h"

#include <algorithm>
#include <utility>

namespace ranklint::runtime {

namespace {

bool is_hopeless(const WaitCondition& condition, const std::vector<bool>& dead) {
  const auto is_dead = [&](int target) { return dead[static_cast<size_t>(target)]; };
  switch (condition.needs) {
    case WaitCondition::Needs::AllOf: return std::any_of(condition.targets.begin(), condition.targets.end(), is_dead);
    case WaitCondition::Needs::AnyOf: return std::all_of(condition.targets.begin(), condition.targets.end(), is_dead);
    case WaitCondition::Needs::Nothing: return true;
  }
  return true;
}

bool is_stuck(const WaitNode& node, const std::vector<bool>& dead) {
  return std::any_of(node.conditions.begin(), node.conditions.end(),
                     [&](const WaitCondition& condition) { return is_hopeless(condition, dead); });
}

}  // namespace

std::vector<bool> find_stuck(const std::vector<WaitNode>& nodes) {
  std::vector<bool> dead(nodes.size());
  for (size_t i = 0; i < nodes.size(); ++i) dead[i] = nodes[i].state != WaitNode::State::Running;
  for (bool changed = true; changed;) {
    changed = false;
    for (size_t i = 0; i < nodes.size(); ++i) {
      if (!dead[i] || nodes[i].state != WaitNode::State::Waiting || is_stuck(nodes[i], dead)) continue;
      dead[i] = false;
      changed = true;
    }
  }
  for (size_t i = 0; i < nodes.size(); ++i)
    if (nodes[i].state == WaitNode::State::Gone) dead[i] = false;
  return dead;
}

bool would_be_stuck(std::vector<WaitNode> nodes, WaitNode one_more) {
  nodes.push_back(std::move(one_more));
  return find_stuck(nodes).back();
}

}  // namespace ranklint::runtime
