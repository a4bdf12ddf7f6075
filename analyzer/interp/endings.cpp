#include "analyzer/interp/endings.h"

#include <algorithm>
#include <set>
#include <utility>

namespace ranklint {
namespace {

constexpr uint8_t kMostUpdates = 8;  // of one function: calls in circles may change what ends their ways

// The one that a caller has to reckon with, of two ways through a function.
Ending either(Ending a, Ending b) {
  for (const Ending one : {Ending::None, Ending::Function, Ending::Process, Ending::ProcessDone})
    if (a == one || b == one) return one;
  return a;
}

bool ends_way(Ending ending) { return ending != Ending::None && ending != Ending::Communication; }

Ending of_terminator(ir::TerminatorKind kind) {
  switch (kind) {
    case ir::TerminatorKind::Raise: return Ending::Function;
    case ir::TerminatorKind::Unreachable: return Ending::Job;
    default: return Ending::None;
  }
}

bool binds_once(const ir::Function& scope, Symbol name) {
  size_t bindings = 0;
  for (const ir::Block& block : scope.blocks)
    bindings += std::ranges::count_if(block.instructions, [&](const ir::Instruction& i) {
      return i.target.valid() && scope.exprs[i.target].kind == ir::ExprKind::Name &&
             scope.exprs[i.target].symbol == name;
    });
  return bindings <= 1;
}

}  // namespace

void Endings::find() {
  std::vector<CompactVector<FunctionKey>> callers(sites_.size());
  std::vector<FunctionKey> work;
  for (const FunctionKey f : in_.functions_to_check()) {
    work.push_back(f);
    for (const SummarySite& site : sites_[f.index])
      for (const Target& target : site.targets) callers[target.function.index].push_back(f);
  }
  std::vector<uint8_t> updates(sites_.size(), 0);
  while (!work.empty()) {
    const FunctionKey f = work.back();
    work.pop_back();
    if (updates[f.index] < kMostUpdates && update(f)) {
      ++updates[f.index];
      work.insert(work.end(), callers[f.index].begin(), callers[f.index].end());
    }
  }
}

// Whether something new was found: what ends a way may stand before what was known to end it.
bool Endings::update(FunctionKey f) {
  Summary* s = maker_.unfinished(f);
  const ir::Function& code = in_.index().function(f);
  if (!s || code.is_generator || code.is_async || code.blocks.empty()) return false;
  std::optional<Ending> all;
  std::set<ir::BlockId> seen{ir::BlockId{0}};
  std::vector<ir::BlockId> work{ir::BlockId{0}};
  const auto reach = [&](ir::BlockId next) {
    if (next.valid() && seen.insert(next).second) work.push_back(next);
  };
  while (!work.empty()) {
    const ir::BlockId at = work.back();
    work.pop_back();
    const ir::Block& block = code.blocks[at];
    reach(block.handler);
    Ending ending = of_block(*s, at);
    if (ending == Ending::None) {
      const auto successors = FlowGraph::successors(block);
      for (const ir::BlockId next : successors) reach(next);
      if (!successors.empty()) continue;
      ending = of_terminator(block.terminator.kind);
    }
    if (ending == Ending::Function && block.handler.valid()) continue;
    all = all ? either(*all, ending) : ending;
    if (*all == Ending::None) break;
  }
  if (all && *all != Ending::None && !is_all_there_is(f)) all = Ending::None;
  const Ending before = std::exchange(s->ending, all.value_or(Ending::None));
  return before != s->ending;
}

// Of what comes before its terminator: the first of its steps that ends the way.
Ending Endings::of_block(const Summary& s, ir::BlockId block) const {
  const auto calls = std::ranges::equal_range(sites_[s.function.index], block.index, {}, &SummarySite::block);
  auto call = calls.begin();
  for (const Step& step : s.blocks[block.index].steps) {
    if (ends_way(step.ending)) return step.ending;
    if (call == calls.end() || call->step != &step) continue;
    if (const Ending ending = of(*call++); ending != Ending::None) return ending;
  }
  return Ending::None;
}

// Whether it is a method that raises `NotImplementedError`, also with a message.
bool Endings::is_for_derived(FunctionKey method) const {
  const ir::Function& f = in_.index().function(method);
  if (!in_.index().functions()[method].owner.valid()) return false;
  return std::ranges::any_of(f.blocks, [&](const ir::Block& block) {
    ir::ExprId raised = block.terminator.value;
    if (block.terminator.kind != ir::TerminatorKind::Raise || !raised.valid()) return false;
    for (const ir::Instruction& i : block.instructions)
      if (i.kind == ir::InstructionKind::Call && i.target.valid() && f.exprs[raised].kind == ir::ExprKind::Name &&
          f.exprs[i.target].symbol == f.exprs[raised].symbol)
        raised = i.value;
    return in_.roles().play(in_.index().dotted(in_.index().functions()[method].module, f, raised), Role::RaisedByBases);
  });
}

// Whether a call by the function's name means this body: nothing decorates it, and nothing else has its name.
bool Endings::is_all_there_is(FunctionKey key) const {
  const ProjectIndex& index = in_.index();
  const FunctionInfo& info = index.functions()[key];
  const ir::Function& f = index.function(key);
  const Symbol name = index.name(info.module, f.name);
  if (!f.decorators.empty() || (info.owner.valid() && in_.program().is_changed(name))) return false;
  const ir::FunctionId scope = info.owner.valid() ? index.klass(info.owner).body
                               : f.parent.valid() ? f.parent
                                                  : ir::FunctionId{0};  // the module's own code
  return (!scope.valid() || binds_once(index.function(index.key(info.module, scope)), f.name)) &&
         in_.program().global_assignments(info.module, name).empty();
}

// What may be called besides the targets, where the callee is chosen or handed on, goes on.
Ending Endings::of(const SummarySite& site) const {
  const ValueKind callee = in_.values()[site.step->call.callee].kind;
  if (callee != ValueKind::Function && callee != ValueKind::Bound) return Ending::None;
  std::optional<Ending> all;
  for (const Target& target : site.targets) {
    const Summary* s = maker_.unfinished(target.function);
    if (!s || target.guard.valid() || s->ending == Ending::None) return Ending::None;
    if (is_for_derived(target.function)) continue;
    all = all ? either(*all, s->ending) : s->ending;
  }
  return all.value_or(Ending::None);
}

}  // namespace ranklint
