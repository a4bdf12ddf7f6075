// Where one rank goes first: what it leaves, the others find.
#include <algorithm>

#include "analyzer/flow/deciding_branch.h"
#include "analyzer/flow/reached.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/summary/is_call.h"
#include "rules/loading/every_rank.h"

namespace ranklint {
namespace {

constexpr size_t kMostLeading = 64;     // functions that lead to the place
constexpr int kMostCallsToBarrier = 2;  // from a call to the barrier that it makes

}  // namespace

// Whether some ranks wait at a barrier before the place, and others after it.
//     if rank != 0: dist.barrier()
//     prepare(folder)
//     if rank == 0: dist.barrier()
bool EveryRank::lets_one_go_first(const Summary& s, ProgramPoint place) const {
  bool before = false, behind = false;
  for (const ir::BlockId b : s.graph().order())
    for (const Step& step : s.blocks[b.index].steps) {
      if (!step.event || !waits_for_all(step, 0) || !is_guarded(s, b)) continue;
      (s.graph().position(b) < s.graph().position(place.block) ? before : behind) = true;
    }
  return before && behind;
}

// Whether it is done only where it is not there yet, and somewhere some ranks are led to it, wait for the others, and
// all are led there.
//     if rank == 0: prepare(folder)
//     dist.barrier()
//     read(prepare(folder))
bool EveryRank::is_prepared_by_one(const Summary& s, ProgramPoint place) {
  if (!is_made_once(s, place)) return false;
  std::vector<FunctionKey> leading{s.function};
  std::map<FunctionKey, std::vector<const Way*>> by_caller;
  for (size_t i = 0; i < leading.size() && leading.size() <= kMostLeading; ++i)
    for (const Way& way : ways_to(leading[i])) {
      by_caller[way.site.function].push_back(&way);
      if (std::ranges::find(leading, way.site.function) == leading.end()) leading.push_back(way.site.function);
    }
  return std::ranges::any_of(by_caller, [&](const auto& caller) {
    const Summary* there = in_.summary(caller.first);
    return there && prepares_by_one(*there, caller.second);
  });
}

// Whether a branch that decides about it, or behind which some way returns before it, asks whether a path is there.
bool EveryRank::is_made_once(const Summary& s, ProgramPoint place) const {
  const FunctionCode code(in_.index(), s);
  const FlowGraph& graph = s.graph();
  return std::ranges::any_of(graph.order(), [&](ir::BlockId b) {
    const ir::Block& block = code.ir.blocks[b];
    if (block.terminator.kind != ir::TerminatorKind::Branch || !block.terminator.value.valid()) return false;
    if (!graph.dominates(b, place.block) || !decides(graph, b, place.block)) return false;
    const Derivation asked =
        derivation_of(code, block.terminator.value, {b, static_cast<uint32_t>(block.instructions.size())});
    return std::ranges::any_of(
        asked.calls, [&](const ProgramPoint& p) { return plays(in_, code, code.instruction(p), Role::TestsPath); });
  });
}

bool EveryRank::prepares_by_one(const Summary& s, const std::vector<const Way*>& ways) const {
  const FlowGraph& graph = s.graph();
  const auto position = [&](const Site& site) { return std::pair(graph.position(site.block), site.instruction); };
  std::optional<std::pair<uint32_t, uint32_t>> some, all;  // the first of some ranks, the last of all
  for (const Way* way : ways) {
    const auto at = position(way->site);
    if (is_guarded(s, way->site.block))
      some = std::min(some.value_or(at), at);
    else
      all = std::max(all.value_or(at), at);
  }
  if (!some || !all || *all < *some) return false;
  return std::ranges::any_of(graph.order(), [&](ir::BlockId b) {
    return !is_guarded(s, b) && std::ranges::any_of(s.blocks[b.index].steps, [&](const Step& step) {
      const auto at = position(in_.site(step.site));
      return *some < at && at < *all && waits_for_all(step, 0);
    });
  });
}

bool EveryRank::waits_for_all(const Step& step, int depth) const {
  if (step.event) return in_.roles().play(step.event->model->op, Role::WaitsForAll);
  if (!is_call(step) || depth == kMostCallsToBarrier) return false;
  const std::vector<Target> targets = in_.targets(step.call.callee);
  const Summary* callee = targets.size() == 1 ? in_.summary(targets[0].function) : nullptr;
  return callee && callee->communicates && std::ranges::any_of(callee->blocks, [&](const BlockSteps& block) {
           return std::ranges::any_of(block.steps, [&](const Step& inner) { return waits_for_all(inner, depth + 1); });
         });
}

}  // namespace ranklint
