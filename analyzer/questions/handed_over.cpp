#include "analyzer/questions/handed_over.h"

#include <algorithm>

#include "analyzer/flow/reached.h"
#include "analyzer/summary/given.h"
#include "analyzer/summary/is_call.h"

namespace ranklint {
namespace {

constexpr size_t kLongestWay = 6;
constexpr size_t kMostCallersLookedAt = 8;

// Blocks that a run with a process group reaches: what stands below `if not is_initialized()` is no part of it.
std::vector<ir::BlockId> live_blocks(const Query& in, const ValueStore& values, const Summary& s) {
  const ir::Function& f = in.index().function(s.function);
  if (f.blocks.empty()) return {};  // a header's function that another file has brought
  const std::set<ir::BlockId> live = reached_from({ir::BlockId{0}}, [&](ir::BlockId b) {
    std::vector<ir::BlockId> ways = FlowGraph::successors(f.blocks[b]);
    const ValueId condition =
        f.blocks[b].terminator.kind == ir::TerminatorKind::Branch ? s.blocks[b.index].condition : ValueId{};
    const ValueStore::Truth truth = condition.valid() ? values.truth(condition) : ValueStore::Truth::Unknown;
    const auto next = f.blocks[b].terminator.successors;
    if (truth != ValueStore::Truth::Unknown && next[0] != next[1])
      std::erase(ways, next[truth == ValueStore::Truth::Yes ? 1 : 0]);
    return ways;
  });
  std::vector<ir::BlockId> order;
  std::ranges::copy_if(s.graph().order(), std::back_inserter(order), [&](ir::BlockId b) { return live.contains(b); });
  return order;
}

bool is_plain_call(const Step& step) { return is_call(step) && !step.call.implicit && step.call.callee.valid(); }

}  // namespace

Callers::Callers(const Query& query) : in_(query) {
  in_.for_each_function_to_check("functions that are handed over", [&](FunctionKey f) {
    const Summary* s = in_.summary(f);
    if (!s) return;
    for (ir::BlockId b : live_blocks(in_, in_.values(), *s))
      for (const Step& step : s->blocks[b.index].steps) {
        if (!is_plain_call(step)) continue;
        for (const Target& target : in_.targets(step.call.callee)) {
          auto& callers = callers_[target.function];
          if (callers.size() < kMostCallersLookedAt)
            callers.push_back({{f, {b, in_.site(step.site).instruction}, target.receiver.valid()}, &step, target});
        }
      }
  });
}

const std::vector<Callers::Caller>& Callers::of(FunctionKey f) const {
  static const std::vector<Caller> none;
  const auto found = callers_.find(f);
  return found == callers_.end() ? none : found->second;
}

void Callers::each_handed_over(const std::function<bool(ValueId)>& wanted, const Found& found) {
  in_.for_each_function_to_check("functions that are handed over", [&](FunctionKey f) {
    const Summary* s = in_.summary(f);
    if (!s) return;
    for (ir::BlockId b : live_blocks(in_, in_.values(), *s))
      for (const Step& step : s->blocks[b.index].steps) {
        if (!is_plain_call(step) || !gives(step.call, wanted)) continue;
        visited_.clear();
        descend(step.call, {{f, {b, in_.site(step.site).instruction}, false}}, wanted, found, step.range);
      }
  });
}

// Into the callees of a call, in the terms of the function that passed the function on.
void Callers::descend(const Call& call, const std::vector<Link>& way, const std::function<bool(ValueId)>& wanted,
                      const Found& found, SourceRange handed_over) {
  if (way.size() > kLongestWay) return;
  for (const Target& target : in_.targets(call.callee)) {
    const Summary* s = in_.summary(target.function);
    if (!s || !visited_.emplace(way.back().function, target.function).second) continue;
    std::vector<Link> next = way;
    next.back().has_receiver = target.receiver.valid();
    next.push_back({target.function, {}, false});
    const Binding binding = in_.bind(target, call, 0);
    for (ir::BlockId b : live_blocks(in_, in_.values(), *s))
      for (const Step& inner : s->blocks[b.index].steps) {
        if (!is_plain_call(inner)) continue;
        next.back().call = {b, in_.site(inner.site).instruction};
        const ValueId callee = in_.instantiate(inner.call.callee, binding);
        if (callee != inner.call.callee && wanted(callee)) {
          found(next, in_.instantiate(inner.call, binding), handed_over);
          continue;
        }
        const Call bound = in_.instantiate(inner.call, binding);
        const auto captured = in_.values()[bound.callee].kind == ValueKind::Function
                                  ? in_.values().children(bound.callee)
                                  : std::span<const ValueId>();
        const std::vector<ValueId> list(captured.begin(), captured.end());
        if (gives(bound, wanted) || std::any_of(list.begin(), list.end(), wanted))
          descend(bound, next, wanted, found, handed_over);
      }
  }
}

}  // namespace ranklint
