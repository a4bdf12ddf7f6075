#include "analyzer/product/check_order.h"

#include <algorithm>

#include "analyzer/product/needs.h"
#include "analyzer/summary/is_call.h"

namespace ranklint {

// A function whose callees are being visited.
struct CheckOrder::Visit {
  FunctionKey function;
  std::vector<FunctionKey> callees;
  size_t next = 0;
  uint32_t below = 0;  // the highest level of a callee
};

std::vector<CheckOrder::Entry> CheckOrder::put_in_order() {
  const size_t functions = in_.index().functions().size();
  met_.resize(functions, false);
  level_.resize(functions, 0);
  std::vector<Entry> order;
  for (const FunctionKey f : in_.functions_to_check())
    if (in_.index().function(f).kind != ir::FunctionKind::ClassBody) visit(f, order);
  return order;
}

void CheckOrder::visit(FunctionKey first, std::vector<Entry>& order) {
  std::vector<Visit> open;
  const auto enter = [&](FunctionKey f) {
    if (met_[f.index] || in_.is_stopped()) return false;
    met_[f.index] = true;
    open.push_back({.function = f, .callees = callees_of(f)});
    return true;
  };
  enter(first);
  while (!open.empty()) {
    Visit& now = open.back();
    if (now.next < now.callees.size()) {
      const FunctionKey callee = now.callees[now.next];
      if (enter(callee)) continue;  // it is looked at again when it is in order
      needs_[now.function.index].add(needs_[callee.index]);
      now.below = std::max(now.below, level_[callee.index]);
      ++now.next;
      continue;
    }
    const FunctionKey f = now.function;
    if (const Summary* s = in_.summary(f); s && s->communicates)
      in_.contain(f, "needs of conditions", [&] { note_needs(*s); });
    level_[f.index] = now.below + 1;
    order.push_back({f, level_[f.index]});
    open.pop_back();
  }
}

std::vector<FunctionKey> CheckOrder::callees_of(FunctionKey f) {
  std::vector<FunctionKey> callees;
  in_.contain(f, "callees", [&] {
    const Summary* s = in_.summary(f);
    if (!s || !s->communicates) return;
    for (const BlockSteps& block : s->blocks)
      for (const Step& step : block.steps)
        if (is_call(step))
          for (const Target& target : in_.targets(step.call.callee)) {
            callers_[target.function.index].insert(f.index);
            callees.push_back(target.function);
          }
  });
  return callees;
}

// What its conditions need of a world, and the conditions that it passes on.
void CheckOrder::note_needs(const Summary& s) {
  WorldNeeds& needs = needs_[s.function.index];
  for (const BlockSteps& block : s.blocks) {
    add_needs(in_.values(), in_.index(), block.condition, needs);
    for (const Step& step : block.steps) {
      for (ValueId v : step.call.positional) add_needs(in_.values(), in_.index(), v, needs);
      for (const auto& [name, v] : step.call.keywords) add_needs(in_.values(), in_.index(), v, needs);
    }
  }
}

const WorldNeeds& CheckOrder::needs(FunctionKey f) const {
  static const WorldNeeds kNone;
  const auto found = needs_.find(f.index);
  return found == needs_.end() ? kNone : found->second;
}

const std::set<uint32_t>* CheckOrder::callers(FunctionKey f) const {
  const auto found = callers_.find(f.index);
  return found == callers_.end() ? nullptr : &found->second;
}

}  // namespace ranklint
