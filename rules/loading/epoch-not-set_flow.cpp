// Where a sampler gets to. Each function that holds it is read again whenever it may hold more, until nothing is new:
// what is held only grows, and is taken out of at most kMostEntries entries.
#include <algorithm>

#include "analyzer/program/wrapped_models.h"
#include "rules/loading/epoch-not-set.h"

namespace ranklint::epoch_not_set {
namespace {

constexpr size_t kMostEntries = 3;
constexpr int kMostReads = 3000;  // of functions

std::string key_of(const FunctionCode& code, ir::ExprId index) {
  const ir::Expr& e = code.ir.exprs[index];
  const bool is_constant = e.kind == ir::ExprKind::String || e.kind == ir::ExprKind::Integer;
  return std::string(is_constant ? code.text.text(e.symbol) : kAny);
}

// The entries that lead to a variable in a pattern that is given a value, outermost first. Nothing: it is not in it.
std::optional<std::vector<std::string>> entries_to(const FunctionCode& code, ir::ExprId pattern, Symbol name) {
  const ir::Expr& e = code.ir.exprs[pattern];
  if (e.kind == ir::ExprKind::Name && e.symbol == name) return std::vector<std::string>{};
  if (e.kind != ir::ExprKind::Tuple && e.kind != ir::ExprKind::List) return std::nullopt;
  const auto parts = ir::children(code.ir, pattern);
  for (size_t i = 0; i < parts.size(); ++i)
    if (auto inner = entries_to(code, parts[i], name)) {
      inner->insert(inner->begin(), std::to_string(i));
      return inner;
    }
  return std::nullopt;
}

}  // namespace

SamplerFlow::HeldSet SamplerFlow::taken_out(const HeldSet& held, std::string_view key) {
  HeldSet taken;
  for (auto one : held) {
    if (one.within.empty()) continue;
    const std::string& front = one.within.front();
    if (front != key && front != kAny && key != kAny) continue;
    one.within.erase(one.within.begin());
    taken.insert(std::move(one));
  }
  return taken;
}

SamplerFlow::HeldSet SamplerFlow::put_into(const HeldSet& held, std::string_view key) {
  HeldSet put;
  for (auto one : held) {
    if (one.within.size() == kMostEntries) continue;
    one.within.insert(one.within.begin(), std::string(key));
    put.insert(std::move(one));
  }
  return put;
}

SamplerFlow::SamplerFlow(const Query& in, const Calls& calls, const Sampler& sampler)
    : in_(in), index_(in.index()), calls_(calls), sampler_(sampler) {
  find_switches();
  open_.insert(sampler.function);
  for (int reads = 0; !open_.empty() && reads < kMostReads; ++reads) {
    const FunctionKey next = *open_.begin();
    open_.erase(open_.begin());
    scan(next);
  }
  if (!open_.empty()) may_be_set_elsewhere_ = true;  // not all was seen
}

bool SamplerFlow::may_load(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const {
  return std::ranges::any_of(held_by(code, e, at), [](const Held& one) { return one.what != What::Sampler; });
}

bool SamplerFlow::may_hand_over(const CallPlace& call, FunctionKey callee) const {
  const auto first = held_.lower_bound({Holder::Kind::Parameter, callee.index, 0, 0});
  const bool is_taken =
      first != held_.end() && first->first.kind == Holder::Kind::Parameter && first->first.owner == callee.index;
  const Summary* s = in_.summary(call.within);
  if (!is_taken || !s) return !is_taken;
  const FunctionCode code(index_, *s);
  const ir::Instruction& i = code.ir.blocks[call.block].instructions[call.instruction];
  return std::ranges::any_of(ir::arguments(code.ir, i), [&](const ir::Argument& a) {
    return may_load(code, a.value, {call.block, call.instruction});
  });
}

void SamplerFlow::scan(FunctionKey f) {
  const Summary* s = in_.summary(f);
  if (!s) return;
  const FunctionCode code(index_, *s);
  for (const ir::BlockId b : code.graph().order()) {
    const ir::Block& block = code.ir.blocks[b];
    const auto count = static_cast<uint32_t>(block.instructions.size());
    for (uint32_t i = 0; i < count; ++i) read(code, block.instructions[i], {b, i});
    read(code, block.terminator, {b, count});
  }
}

void SamplerFlow::read(const FunctionCode& code, const ir::Instruction& i, ProgramPoint at) {
  if (code.key == sampler_.function && at == sampler_.made)
    give(code, i.target, at, {Held{}});
  else if (i.kind == ir::InstructionKind::Assign)
    give(code, i.target, at, held_by(code, i.value, at));
  else if (i.kind == ir::InstructionKind::Call)
    give(code, i.target, at, result_of(code, i, at));
}

void SamplerFlow::read(const FunctionCode& code, const ir::Terminator& end, ProgramPoint at) {
  const HeldSet held = held_by(code, end.value, at);
  if (end.kind == ir::TerminatorKind::Return) add({Holder::Kind::Result, code.key.index, 0, 0}, held);
  if (end.kind != ir::TerminatorKind::Iterate) return;
  for (const Held& one : held) {
    if (!one.within.empty() || one.what == What::Sampler) continue;
    const uint32_t pass = one.what == What::Iterator ? one.pass : pass_at(code, at, end.value);
    passes_[pass].takers.insert({code.key, at});
  }
  give(code, end.target, at, taken_out(held, kAny));
}

void SamplerFlow::give(const FunctionCode& code, ir::ExprId target, ProgramPoint at, const HeldSet& held) {
  add({Holder::Kind::Instruction, code.key.index, at.block.index, at.instruction}, held);
  assign(code, target, at, held);
}

// To what outlives the variables of one call, or is no variable.
void SamplerFlow::assign(const FunctionCode& code, ir::ExprId target, ProgramPoint at, const HeldSet& held) {
  if (!target.valid()) return;
  const ir::Expr& e = code.ir.exprs[target];
  const auto parts = ir::children(code.ir, target);
  if (e.kind == ir::ExprKind::Name) {
    const bool is_global = code.ir.kind == ir::FunctionKind::Module ||
                           std::ranges::find(code.ir.globals, e.symbol) != code.ir.globals.end();
    if (is_global) add({Holder::Kind::Global, code.module.index, index_.name(code.module, e.symbol).index, 0}, held);
  } else if (e.kind == ir::ExprKind::Attribute) {
    if (in_.roles().play(index_.dotted(code.module, code.ir, target), Role::HoldsEpoch)) {
      const HeldSet object = held_by(code, parts[0], at);
      may_be_set_elsewhere_ = may_be_set_elsewhere_ || !object.empty();
    }
    if (const Symbol attribute = own_attribute(index_, code.key, target); attribute.valid()) {
      const ClassKey c = index_.class_of_self(code.key, code.ir.exprs[parts[0]].symbol);
      add({Holder::Kind::Attribute, c.index, attribute.index, 0}, held);
    }
  } else if (e.kind == ir::ExprKind::Subscript) {
    fill(code, parts[0], at, put_into(held, key_of(code, parts[1])));
  } else if (e.kind == ir::ExprKind::Tuple || e.kind == ir::ExprKind::List) {
    for (size_t i = 0; i < parts.size(); ++i) assign(code, parts[i], at, taken_out(held, std::to_string(i)));
  }
}

// What a table or a list holds from then on, among others.
void SamplerFlow::fill(const FunctionCode& code, ir::ExprId table, ProgramPoint at, const HeldSet& put) {
  if (code.ir.exprs[table].kind == ir::ExprKind::Name)
    add({Holder::Kind::Filled, code.key.index, code.ir.exprs[table].symbol.index, 0}, put);
  else
    assign(code, table, at, put);
}

const SamplerFlow::HeldSet& SamplerFlow::held_in(const Holder& holder) const {
  static const HeldSet kNothing;
  const auto found = held_.find(holder);
  return found == held_.end() ? kNothing : found->second;
}

SamplerFlow::HeldSet SamplerFlow::held_by(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const {
  HeldSet held;
  if (!e.valid()) return held;
  const ir::Expr& expr = code.ir.exprs[e];
  const auto parts = ir::children(code.ir, e);
  switch (expr.kind) {
    case ir::ExprKind::Name: return held_by_name(code, e, at);
    case ir::ExprKind::Attribute: return held_by_attribute(code, e, at);
    case ir::ExprKind::Subscript: return taken_out(held_by(code, parts[0], at), key_of(code, parts[1]));
    case ir::ExprKind::Tuple:
    case ir::ExprKind::List:
      for (size_t i = 0; i < parts.size(); ++i) held.merge(put_into(held_by(code, parts[i], at), std::to_string(i)));
      return held;
    case ir::ExprKind::Dict:
      for (size_t i = 0; i + 1 < parts.size(); i += 2)
        held.merge(put_into(held_by(code, parts[i + 1], at), key_of(code, parts[i])));
      return held;
    case ir::ExprKind::Conditional:
      held = held_by(code, parts[1], at);
      held.merge(held_by(code, parts[2], at));
      return held;
    case ir::ExprKind::Binary:  // of lists; where an element lies in the sum is not followed
      if (expr.op != ir::Operator::Add) return held;
      for (const ir::ExprId part : parts) held.merge(put_into(taken_out(held_by(code, part, at), kAny), kAny));
      return held;
    case ir::ExprKind::And:
    case ir::ExprKind::Or:
      for (const ir::ExprId part : parts) held.merge(held_by(code, part, at));
      return held;
    default: return held;
  }
}

SamplerFlow::HeldSet SamplerFlow::held_by_name(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const {
  const Symbol name = code.ir.exprs[e].symbol;
  HeldSet held = held_in({Holder::Kind::Filled, code.key.index, name.index, 0});
  const Reaching reaching = code.reaching(name, at);
  for (const Definition& d : reaching.definitions) {
    HeldSet given = held_in({Holder::Kind::Instruction, code.key.index, d.place.block.index, d.place.instruction});
    if (given.empty()) continue;
    const ir::ExprId target = d.instruction ? d.instruction->target : code.ir.blocks[d.place.block].terminator.target;
    const auto entries = entries_to(code, target, name);
    if (!entries) continue;
    for (const std::string& key : *entries) given = taken_out(given, key);
    held.merge(given);
  }
  if (!reaching.entry) return held;
  const int parameter = code.parameter(name);
  HeldSet before = parameter >= 0
                       ? held_in({Holder::Kind::Parameter, code.key.index, static_cast<uint32_t>(parameter), 0})
                       : held_around(code, e);
  held.merge(before);
  return held;
}

// By a variable of a function around this one, or of a file.
SamplerFlow::HeldSet SamplerFlow::held_around(const FunctionCode& code, ir::ExprId e) const {
  HeldSet held;
  const Symbol name = code.ir.exprs[e].symbol;
  for (FunctionKey f = index_.functions()[code.key].parent; f.valid(); f = index_.functions()[f].parent) {
    const Summary* s = in_.summary(f);
    if (!s || index_.function(f).kind == ir::FunctionKind::Module || !bound_names(index_, f).contains(name)) continue;
    const FunctionCode outer(index_, *s);
    held = held_in({Holder::Kind::Filled, f.index, name.index, 0});
    if (const int p = outer.parameter(name); p >= 0)
      held.merge(HeldSet(held_in({Holder::Kind::Parameter, f.index, static_cast<uint32_t>(p), 0})));
    for (ir::BlockId b{0}; b.index < outer.ir.blocks.size(); ++b.index)
      for (uint32_t i = 0; i < outer.ir.blocks[b].instructions.size(); ++i) {
        const ir::Instruction& given = outer.ir.blocks[b].instructions[i];
        if (!given.target.valid() || !outer.defines(given, name)) continue;
        HeldSet of_it = held_in({Holder::Kind::Instruction, f.index, b.index, i});
        for (const std::string& key : entries_to(outer, given.target, name).value_or(std::vector<std::string>{}))
          of_it = taken_out(of_it, key);
        held.merge(of_it);
      }
    return held;
  }
  const Entity entity = index_.resolve(code.module, code.ir, e);
  if (entity.kind == Entity::Kind::Variable)
    held = held_in({Holder::Kind::Global, entity.module.index, entity.name.index, 0});
  return held;
}

SamplerFlow::HeldSet SamplerFlow::held_by_attribute(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const {
  const ir::ExprId object = ir::children(code.ir, e)[0];
  if (const Symbol attribute = own_attribute(index_, code.key, e); attribute.valid())
    return held_in_class(index_.class_of_self(code.key, code.ir.exprs[object].symbol), attribute);
  const Entity entity = index_.resolve(code.module, code.ir, e);
  if (entity.kind == Entity::Kind::Variable)
    return held_in({Holder::Kind::Global, entity.module.index, entity.name.index, 0});
  HeldSet held;
  if (in_.roles().takes_by_keyword(code.text.text(code.ir.exprs[e].symbol), Role::ChoosesSamples) &&
      !held_by(code, object, at).empty())
    held.insert(Held{});  // `loader.sampler`
  return held;
}

SamplerFlow::HeldSet SamplerFlow::held_in_class(ClassKey c, Symbol name) const {
  HeldSet held;
  const auto take = [&](ClassKey one) {
    held.merge(HeldSet(held_in({Holder::Kind::Attribute, one.index, name.index, 0})));
  };
  for (const ClassKey base : index_.linearization(c)) take(base);
  for (const ClassKey derived : index_.with_derived(c)) take(derived);
  if (const FunctionKey method = index_.find_method(c, name); method.valid() && in_.is_property(method))
    held.merge(HeldSet(held_in({Holder::Kind::Result, method.index, 0, 0})));
  return held;
}

uint32_t SamplerFlow::pass_at(const FunctionCode& code, ProgramPoint at, ir::ExprId loader) {
  const auto [entry, is_new] = pass_numbers_.emplace(Spot{code.key, at}, static_cast<uint32_t>(passes_.size()));
  if (is_new) {
    passes_.push_back({{code.key, at}, loader, {}});
    if (code.ir.is_generator) look_again({Holder::Kind::Result, code.key.index, 0, 0});
  }
  return entry->second;
}

void SamplerFlow::add(const Holder& holder, const HeldSet& held) {
  if (held.empty()) return;
  HeldSet& all = held_[holder];
  const size_t before = all.size();
  all.insert(held.begin(), held.end());
  if (all.size() > before) look_again(holder);
}

void SamplerFlow::look_again(const Holder& holder) {
  switch (holder.kind) {
    case Holder::Kind::Attribute: look_at_classes(ClassKey{holder.owner}); break;
    case Holder::Kind::Global: {
      const ModuleKey module{holder.owner};
      look_at_module(module);
      for (const ModuleKey importer : in_.program().sharding().importers_of(module)) look_at_module(importer);
      break;
    }
    case Holder::Kind::Result: {
      const FunctionKey f{holder.owner};
      for (const CallPlace& call : calls_.of(f)) open_.insert(call.within);
      if (in_.is_property(f) && index_.functions()[f].owner.valid()) look_at_classes(index_.functions()[f].owner);
      break;
    }
    default: {
      const FunctionKey f{holder.owner};
      open_.insert(f);
      const ModuleKey module = index_.functions()[f].module;
      for (uint32_t id = 0; id < index_.modules()[module].functions.size(); ++id)
        if (const FunctionKey inner = index_.key(module, ir::FunctionId{id}); index_.functions()[inner].parent == f)
          open_.insert(inner);
    }
  }
}

void SamplerFlow::look_at_module(ModuleKey module) {
  for (uint32_t id = 0; id < index_.modules()[module].functions.size(); ++id)
    open_.insert(index_.key(module, ir::FunctionId{id}));
}

void SamplerFlow::look_at_classes(ClassKey c) {
  std::set<ModuleKey> modules;
  for (const ClassKey base : index_.linearization(c)) modules.insert(index_.classes()[base].module);
  for (const ClassKey derived : index_.with_derived(c)) modules.insert(index_.classes()[derived].module);
  for (const ModuleKey module : modules) look_at_module(module);
}

}  // namespace ranklint::epoch_not_set
