#include "analyzer/interp/endings.h"

#include <algorithm>
#include <set>

namespace ranklint {
namespace {

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

}  // namespace

void Endings::find() {
  std::vector<CompactVector<FunctionKey>> callers(sites_.size());
  std::vector<FunctionKey> work;
  for (const FunctionKey f : in_.functions_to_check()) {
    work.push_back(f);
    for (const SummarySite& site : sites_[f.index])
      for (const Target& target : site.targets) callers[target.function.index].push_back(f);
  }
  while (!work.empty()) {
    const FunctionKey f = work.back();
    work.pop_back();
    if (update(f)) work.insert(work.end(), callers[f.index].begin(), callers[f.index].end());
  }
}

// Whether something new was found: only functions of which nothing was known come to end something.
bool Endings::update(FunctionKey f) {
  Summary* s = maker_.unfinished(f);
  const ir::Function& code = in_.index().function(f);
  if (!s || s->ending != Ending::None || code.is_generator || code.is_async || code.blocks.empty()) return false;
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
    if (*all == Ending::None) return false;
  }
  s->ending = all.value_or(Ending::None);
  return s->ending != Ending::None;
}

// Of what comes before its terminator.
Ending Endings::of_block(const Summary& s, ir::BlockId block) const {
  for (const Step& step : s.blocks[block.index].steps)
    if (ends_way(step.ending)) return step.ending;
  for (const SummarySite& site : sites_[s.function.index])
    if (site.block == block.index)
      if (const Ending ending = of(site); ending != Ending::None) return ending;
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

Ending Endings::of(const SummarySite& site) const {
  std::optional<Ending> all;
  for (const Target& target : site.targets) {
    const Summary* s = maker_.unfinished(target.function);
    if (!s || target.guard.valid()) return Ending::None;
    if (is_for_derived(target.function)) continue;
    all = all ? either(*all, s->ending) : s->ending;
  }
  return all.value_or(Ending::None);
}

}  // namespace ranklint
