// What a call gives that a sampler, or a loader that is made with it, is given to.
#include <algorithm>

#include "analyzer/resolve/builtins.h"
#include "rules/loading/epoch-not-set.h"

namespace ranklint::epoch_not_set {
namespace {

constexpr auto kHarmless = {Role::NeverRaises, Role::CountsElements, Role::AsksKind, Role::AddsElement};

}  // namespace

SamplerFlow::HeldSet SamplerFlow::result_of(const FunctionCode& code, const ir::Instruction& call, ProgramPoint at) {
  HeldSet given, result;
  for (const ir::Argument& a : ir::arguments(code.ir, call)) given.merge(held_by(code, a.value, at));
  const std::vector<NamedCallee> callees = calls_.callees(code.key, call);
  const Entity entity = index_.resolve(code.module, code.ir, call.value);
  const bool is_class = entity.kind == Entity::Kind::Class;
  if (callees.empty() && !is_class) return result_of_foreign(code, call, at, given);
  if (!given.empty())
    for (const HandedArgument& a : calls_.arguments(code, call))
      add({Holder::Kind::Parameter, a.callee.index, a.parameter, 0}, held_by(code, a.value, at));
  if (!is_class) {
    for (const NamedCallee& callee : callees) result.merge(result_of_own(code, call, callee.function));
    return result;
  }
  if (given.empty()) return result;
  if (derives_from(in_.roles(), index_, entity.klass, Role::LoadsSamples)) result.insert({What::Loader, 0, {}});
  if (derives_from(in_.roles(), index_, entity.klass, Role::SamplesClass) && !gives_own_entries(in_, entity.klass))
    result.insert(Held{});
  // A library's constructor gets it.
  if (result.empty() && callees.empty()) may_be_set_elsewhere_ = true;
  return result;
}

// Of a function of the project.
SamplerFlow::HeldSet SamplerFlow::result_of_own(const FunctionCode& code, const ir::Instruction& call,
                                                FunctionKey callee) {
  if (makes_none(code, call, callee)) return {};
  HeldSet held = held_in({Holder::Kind::Result, callee.index, 0, 0});
  if (index_.function(callee).is_generator)
    for (uint32_t p = 0; p < passes_.size(); ++p)
      if (passes_[p].begin.function == callee) held.insert({What::Iterator, p, {}});
  return held;
}

// The switches of the sampler, and the parameters that callers hand on as one of them.
void SamplerFlow::find_switches() {
  std::vector<std::pair<FunctionKey, uint32_t>> open;
  for (const uint32_t parameter : sampler_.switches) open.emplace_back(sampler_.function, parameter);
  while (!open.empty()) {
    const auto asked = open.back();
    open.pop_back();
    if (!switches_.insert(asked).second) continue;
    for (const CallPlace& call : calls_.of(asked.first)) {
      const Summary* s = in_.summary(call.within);
      if (!s) continue;
      const FunctionCode code(index_, *s);
      for (const HandedArgument& a :
           calls_.arguments(code, code.ir.blocks[call.block].instructions[call.instruction])) {
        if (a.callee != asked.first || a.parameter != asked.second || code.ir.exprs[a.value].kind != ir::ExprKind::Name)
          continue;
        const Symbol name = code.ir.exprs[a.value].symbol;
        const int own = code.parameter(name);
        const Reaching reaching = code.reaching(name, {call.block, call.instruction});
        if (own >= 0 && reaching.entry && reaching.definitions.empty())
          open.emplace_back(call.within, static_cast<uint32_t>(own));
      }
    }
  }
}

// Whether the call passes False or None for a switch: what comes back is no sampler that shuffles.
bool SamplerFlow::makes_none(const FunctionCode& code, const ir::Instruction& call, FunctionKey callee) const {
  const auto is_off = [](const ir::Function& f, ir::ExprId e) {
    return e.valid() && (f.exprs[e].kind == ir::ExprKind::False || f.exprs[e].kind == ir::ExprKind::None);
  };
  const std::vector<HandedArgument> arguments = calls_.arguments(code, call);
  const ir::Function& maker = index_.function(callee);
  for (auto asked = switches_.lower_bound({callee, 0}); asked != switches_.end() && asked->first == callee; ++asked) {
    const auto given = std::ranges::find_if(
        arguments, [&](const HandedArgument& a) { return a.callee == callee && a.parameter == asked->second; });
    if (given != arguments.end()
            ? is_off(code.ir, given->value)
            : is_off(maker, maker.parameters[asked->second].default_value) && !gives_more(code.ir, call))
      return true;
  }
  return false;
}

// `samplers.append(sampler)`, `samplers.extend(others)`
void SamplerFlow::note_added(const FunctionCode& code, const ir::Instruction& call, ProgramPoint at,
                             const HeldSet& given) {
  if (!plays(in_, code, call, Role::AddsElement) || code.ir.exprs[call.value].kind != ir::ExprKind::Attribute) return;
  const bool adds_all = plays(in_, code, call, Role::AddsElements);
  fill(code, ir::children(code.ir, call.value)[0], at, adds_all ? given : put_into(given, kAny));
}

// What goes over the entries of tables, one by one, holds: `zip(datasets, samplers)` in its tuples.
SamplerFlow::HeldSet SamplerFlow::elements_of_arguments(const FunctionCode& code, const ir::Instruction& call,
                                                        ProgramPoint at) const {
  HeldSet entries;
  if (!plays(in_, code, call, Role::HandsOnElements)) return entries;
  const std::string_view name = name_of_callee(code, call);
  const auto arguments = ir::arguments(code.ir, call);
  for (size_t i = 0; i < arguments.size(); ++i) {
    HeldSet entry = taken_out(held_by(code, arguments[i].value, at), kAny);
    if (is_builtin(name, Builtin::Zip)) entry = put_into(entry, std::to_string(i));
    if (is_builtin(name, Builtin::Enumerate)) entry = put_into(entry, "1");
    entries.merge(put_into(entry, kAny));
  }
  return entries;
}

SamplerFlow::HeldSet SamplerFlow::result_of_foreign(const FunctionCode& code, const ir::Instruction& call,
                                                    ProgramPoint at, const HeldSet& given) {
  if (given.empty()) return {};
  HeldSet result = elements_of_arguments(code, call, at);
  note_added(code, call, at, given);
  const bool is_going = plays(in_, code, call, Role::HandsOnElements);
  const bool loads = plays(in_, code, call, Role::LoadsSamples);
  const bool samples = plays(in_, code, call, Role::SamplesClass);
  const bool takes = plays(in_, code, call, Role::GivesFirst);
  const bool is_harmless = std::ranges::any_of(kHarmless, [&](Role role) { return plays(in_, code, call, role); });
  for (const Held& one : given) {
    if (is_going && one.what == What::Loader && one.within.empty()) {
      for (const ir::Argument& a : ir::arguments(code.ir, call))
        if (may_load(code, a.value, at)) result.insert({What::Iterator, pass_at(code, at, a.value), {}});
    } else if (is_going && one.what == What::Iterator) {
      result.insert(one);
    } else if (loads && one.what == What::Sampler) {
      result.insert({What::Loader, 0, {}});
    } else if (samples && one.what == What::Sampler) {
      result.insert(one);
    } else if (takes && one.what == What::Iterator && one.within.empty()) {
      passes_[one.pass].takers.insert({code.key, at});
    } else if (!is_harmless && one.what != What::Iterator) {
      may_be_set_elsewhere_ = true;
    }
  }
  return result;
}

}  // namespace ranklint::epoch_not_set
