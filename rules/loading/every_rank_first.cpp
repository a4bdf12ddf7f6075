// Where one rank goes first: what it leaves, the others find.
#include <algorithm>
#include <optional>

#include "analyzer/flow/deciding_branch.h"
#include "analyzer/flow/side_of_branch.h"
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
      if (!waits_for_all(step, 0) || !is_guarded(s, b)) continue;
      (s.graph().position(b) < s.graph().position(place.block) ? before : behind) = true;
    }
  return before && behind;
}

// The functions, and those from which calls lead to them: callers after what they call, so that a bound cuts off those
// that are farthest away.
std::vector<FunctionKey> EveryRank::with_callers(std::vector<FunctionKey> functions, size_t most) {
  std::set<FunctionKey> seen(functions.begin(), functions.end());
  for (size_t i = 0; i < functions.size() && functions.size() <= most; ++i)
    for (const WayToCall& way : ways_.to(functions[i]))
      if (seen.insert(way.site.function).second) functions.push_back(way.site.function);
  return functions;
}

// Whether it is done only where it is not there yet, and in each program some ranks are led to it first, wait for the
// others, and then all are led there.
//     if rank == 0: prepare(folder)
//     dist.barrier()
//     read(prepare(folder))
bool EveryRank::is_prepared_by_one(const Summary& s, ProgramPoint place) {
  if (!is_made_once(s, place)) return false;
  const std::vector<FunctionKey> leading = with_callers({s.function}, kMostLeading);
  std::map<FunctionKey, std::vector<const WayToCall*>> by_caller;
  for (const FunctionKey f : leading)
    for (const WayToCall& way : ways_.to(f)) by_caller[way.site.function].push_back(&way);
  std::vector<FunctionKey> preparing;
  for (const auto& [caller, ways] : by_caller)
    if (const Summary* there = in_.summary(caller); there && prepares_by_one(*there, ways)) preparing.push_back(caller);
  if (preparing.empty()) return false;
  const std::vector<FunctionKey> above = with_callers(std::move(preparing), SIZE_MAX);
  const std::set<FunctionKey> prepared(above.begin(), above.end());
  return std::ranges::all_of(leading, [&](FunctionKey f) { return !ways_.to(f).empty() || prepared.contains(f); });
}

// Whether a branch on which it depends asks whether a path is there, and it is not on the side where it is.
bool EveryRank::is_made_once(const Summary& s, ProgramPoint place) const {
  const FunctionCode code(in_.index(), s);
  const FlowGraph& graph = s.graph();
  return std::ranges::any_of(graph.order(), [&](ir::BlockId b) {
    const ir::Block& block = code.ir.blocks[b];
    if (block.terminator.kind != ir::TerminatorKind::Branch || !block.terminator.value.valid()) return false;
    if (!graph.dominates(b, place.block) || !decides(graph, b, place.block)) return false;
    const ProgramPoint end{b, static_cast<uint32_t>(block.instructions.size())};
    ir::ExprId asked = block.terminator.value;
    bool if_there = true;
    for (; code.ir.exprs[asked].kind == ir::ExprKind::Unary && code.ir.exprs[asked].op == ir::Operator::Not;
         asked = ir::children(code.ir, asked)[0])
      if_there = !if_there;
    const std::optional<Definition> by = code.only_definition(asked, end);
    const bool asks_alone = by && by->instruction && by->instruction->kind == ir::InstructionKind::Call &&
                            plays(in_, code, *by->instruction, Role::TestsPath);
    if (asks_alone && side_of_branch(graph, code.ir, b, place.block) == if_there) return false;
    return std::ranges::any_of(derivation_of(code, asked, end).calls, [&](const ProgramPoint& p) {
      return plays(in_, code, code.instruction(p), Role::TestsPath);
    });
  });
}

// Whether some ranks are led there, all wait for each other, and all are led there for the first time. By the same
// function they are led there with the same arguments.
bool EveryRank::prepares_by_one(const Summary& s, const std::vector<const WayToCall*>& ways) const {
  const FlowGraph& graph = s.graph();
  const auto position = [&](const Site& site) { return std::pair(graph.position(site.block), site.instruction); };
  const auto first_of = [&](bool some) {
    const WayToCall* first = nullptr;
    for (const WayToCall* way : ways)
      if (is_guarded(s, way->site.block) == some && (!first || position(way->site) < position(first->site)))
        first = way;
    return first;
  };
  const WayToCall *some = first_of(true), *all = first_of(false);
  if (!some || !all) return false;
  const Call &by_some = some->call->call, &by_all = all->call->call;
  if (some->target.function == all->target.function && !(std::ranges::equal(by_some.positional, by_all.positional) &&
                                                         std::ranges::equal(by_some.keywords, by_all.keywords)))
    return false;
  return std::ranges::any_of(graph.order(), [&](ir::BlockId b) {
    return !is_guarded(s, b) && std::ranges::any_of(s.blocks[b.index].steps, [&](const Step& step) {
      const auto at = position(in_.site(step.site));
      return position(some->site) < at && at < position(all->site) && waits_for_all(step, 0);
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
