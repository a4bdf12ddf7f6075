// Attributes that begin empty and that only some ranks fill.
//
//     def __init__(self): self.writer = None
//     def open(self):     if get_rank() == 0: self.writer = Writer()
//
// Elsewhere ranks differ in `self.writer is None`: the value is a choice by the guard of the assignment. The same
// for a list that only some ranks append to, for a flag that begins as False and that only some ranks raise, and for
// `self.writer = Writer() if get_rank() == 0 else None`. Whether `open` was called does not matter; code that reads the
// attribute expects so. A flag that a signal handler raises is what this rank alone sees: no two ranks are at the same
// place when it comes.
//
// Only where the constructor alone empties it, all other assignments stand under one and the same condition on the
// rank, and that condition means the same outside of the method: it rests on coordinates and on the object. Groups are
// left out: it is their purpose that only members hold one. So are tests in a method that sets a group: the ranks that
// have it may be among themselves there.
#include <algorithm>

#include "analyzer/program/signal_handlers.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/summary/guards.h"
#include "analyzer/summary/query.h"
#include "analyzer/variance/beliefs.h"
#include "analyzer/variance/each_element.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

struct Filling {
  FunctionKey function;
  ir::BlockId block;
  ValueId value;      // invalid: what a list is appended
  ValueId condition;  // under which it is that, where the assignment itself says so
  ValueId element;    // what a list is appended, if that is known
};

bool is_set_by_signal(const Query& in, const Filling& f) {
  return f.value.valid() && in.values()[f.value].kind == ValueKind::Bool &&
         is_signal_handler(in.index(), in.roles(), f.function);
}

// Whether the term means the same in every method of the object that is parameter 0 of `f`.
bool rests_on_object(const ValueStore& values, ValueId v, FunctionKey f, int& budget) {
  if (--budget < 0) return false;
  switch (values[v].kind) {
    case ValueKind::Parameter: return values[v].a == f.index && values[v].b == 0;
    case ValueKind::Opaque:
    case ValueKind::Free:
    case ValueKind::Local:
    case ValueKind::Caught:
    case ValueKind::Element:
    case ValueKind::LoopPhi:
    case ValueKind::Tensor: return false;
    default: break;
  }
  return std::all_of(values.children(v).begin(), values.children(v).end(),
                     [&](ValueId c) { return rests_on_object(values, c, f, budget); });
}

bool is_empty(const Value& v) {
  return v.kind == ValueKind::None || (v.kind == ValueKind::Tuple && v.child_count == 0) ||
         (v.kind == ValueKind::Bool && !v.a);
}

// `images = [s["image"] for s in batch if "image" in s]`: a list of what some of a batch has; it may be none.
bool is_chosen_of_batch(const ValueStore& values, ValueId v) {
  const Value& list = values[v];
  if (list.kind != ValueKind::LoopPhi || !list.of_batch || list.child_count < 2) return false;
  const Value& before = values[values.child(v, 0)];
  return before.kind == ValueKind::Tuple && before.child_count == 0 &&
         values[values.child(v, 1)].kind == ValueKind::Conditional;
}

// `Writer() if rank == 0 else None`: what it is, and when; gives back what it is otherwise. Invalid: it is no such
// choice.
ValueId take_apart(ValueStore& values, Filling& filling) {
  const ValueId choice = filling.value;
  if (!choice.valid() || values[choice].kind != ValueKind::Conditional) return {};
  const ValueId condition = values.child(choice, 0), yes = values.child(choice, 1), no = values.child(choice, 2);
  const bool empty_yes = values[yes].kind == ValueKind::None, empty_no = values[no].kind == ValueKind::None;
  if (empty_yes == empty_no || !values.diverges(condition)) return {};
  filling.value = empty_yes ? no : yes;
  filling.condition = empty_yes ? values.unary(ir::Operator::Not, condition) : condition;
  return empty_yes ? yes : no;
}

// The methods' `self.name.append(x)` and its kin.
void find_appends(const Query& in, ClassKey c, Symbol name, std::vector<Filling>& found) {
  const ProjectIndex& index = in.index();
  for (const auto& [_, method] : index.classes()[c].methods) {
    const ModuleKey module = index.functions()[method].module;
    const ir::Function& f = index.function(method);
    for (uint32_t b = 0; b < f.blocks.size(); ++b)
      for (const ir::Instruction& i : f.blocks[ir::BlockId{b}].instructions) {
        if (i.kind != ir::InstructionKind::Call || f.exprs[i.value].kind != ir::ExprKind::Attribute) continue;
        if (!in.roles().play(index.modules()[module].text(f.exprs[i.value].symbol), Role::AddsElement)) continue;
        const ir::ExprId list = ir::children(f, i.value)[0];
        if (own_attribute(index, method, list) != name) continue;
        const auto given = ir::arguments(f, i);
        const bool is_name = given.size() == 1 && f.exprs[given[0].value].kind == ir::ExprKind::Name;
        const std::vector<ValueId> meant = is_name ? in.meant_by_name(method, given[0].value) : std::vector<ValueId>{};
        found.push_back({method, ir::BlockId{b}, {}, {}, meant.size() == 1 ? meant.front() : ValueId{}});
      }
  }
}

// Whether a method that sets one of the class's groups asks for the attribute: `if not self.workers: return`.
bool decides_group(const ProjectIndex& index, const NamePriors& priors, ClassKey c, Symbol name) {
  for (const auto& [attribute, sites] : index.classes()[c].attributes) {
    if (!priors.suggest(index.names().text(attribute), NameMeaning::GroupOrMesh)) continue;
    for (const AttributeSite& site : sites) {
      const ir::Function& f = index.function(site.function);
      const ModuleKey module = index.functions()[site.function].module;
      const auto is_it = [&](ir::ExprId e) {
        return f.exprs[e].kind == ir::ExprKind::Attribute && index.name(module, f.exprs[e].symbol) == name;
      };
      for (const ir::Block& block : f.blocks)
        if (block.terminator.kind == ir::TerminatorKind::Branch && ir::any_part(f, block.terminator.value, is_it))
          return true;
    }
  }
  return false;
}

}  // namespace

ValueId Query::ranks_that_come(FunctionKey method, ir::BlockId block, ValueId object) const {
  const Summary* s = summary(method);
  const ValueId guard = s ? guard_of(values_, *s, index_.function(method), block) : ValueId{};
  int budget = 200;
  if (!guard.valid() || values_[guard].local || !rests_on_object(values_, guard, method, budget)) return {};
  const Binding binding{.function = method, .parameters = {object}, .captures = {}, .path = 0, .memo = {}};
  const ValueId condition = instantiate(guard, binding);
  return values_.diverges(condition) ? condition : ValueId{};
}

ValueId Query::rank_conditional_attribute(ClassKey c, Symbol name, ValueId object) const {
  const std::string_view text = index_.names().text(name);
  if (priors().suggest(text, NameMeaning::GroupOrMesh)) return {};
  std::vector<Filling> fillings;
  ValueId empty;
  for (ClassKey k : index_.linearization(c)) {
    const auto sites = index_.classes()[k].attributes.find(name);
    if (sites == index_.classes()[k].attributes.end()) continue;
    for (const AttributeSite& site : sites->second) {
      const Summary* setter = summary(site.function);
      const ValueId set = setter ? setter->given_to(name, site) : ValueId{};
      if (!set.valid()) return {};
      const bool emptied = is_empty(values_[set]);
      const std::string_view setter_name = index_.names().text(
          index_.name(index_.functions()[site.function].module, index_.function(site.function).name));
      if (emptied && is_builtin(setter_name, {Builtin::Init, Builtin::Enter}))
        empty = set;
      else if (!emptied)
        fillings.push_back({site.function, site.block, set, {}, {}});
    }
    if (empty.valid() && values_[empty].kind == ValueKind::Tuple) find_appends(*this, k, name, fillings);
  }
  if (!empty.valid() && fillings.size() == 1) empty = take_apart(values_, fillings[0]);
  if (!empty.valid() || fillings.empty()) return {};
  const auto decides = [&](ClassKey k) { return decides_group(index_, priors(), k, name); };
  if (std::ranges::any_of(index_.linearization(c), decides)) return {};
  const auto raised_by_signal = [&](const Filling& f) { return is_set_by_signal(*this, f); };
  if (values_[empty].kind == ValueKind::Bool)
    if (const auto raised = std::ranges::find_if(fillings, raised_by_signal); raised != fillings.end()) {
      const bool by_constants = std::ranges::all_of(
          fillings, [&](const Filling& f) { return f.value.valid() && values_.is_constant(f.value); });
      if (!by_constants) return {};
      const SiteId came = intern_site({.function = raised->function, .block = raised->block, .why = Site::Why::Signal});
      return values_.local("a signal", came.index);
    }
  ValueId guard, value;
  std::vector<ValueId> elements;
  for (const Filling& filling : fillings) {
    const Summary* setter = summary(filling.function);
    if (!setter) return {};
    const ValueId here = filling.condition.valid()
                             ? filling.condition
                             : guard_of(values_, *setter, index_.function(filling.function), filling.block);
    int budget = 200;
    if (!here.valid() || values_[here].local || !rests_on_object(values_, here, filling.function, budget)) return {};
    Binding binding{.function = filling.function, .parameters = {object}, .captures = {}, .path = 0, .memo = {}};
    const ValueId condition = instantiate(here, binding);
    if (!values_.diverges(condition) || (guard.valid() && guard != condition)) return {};
    guard = condition;
    if (filling.value.valid() && values_[filling.value].kind == ValueKind::Group) return {};
    const SiteId site =
        intern_site({.function = filling.function, .block = filling.block, .why = Site::Why::SetBySome});
    const uint32_t type = filling.value.valid() && values_.class_of(filling.value).valid()
                              ? ValueStore::type_of_class(values_.class_of(filling.value))
                              : 0;
    value = values_.leaf(ValueKind::Opaque, site.index, 0, 0, type);
    if (values_[empty].kind == ValueKind::Bool)
      value = filling.value;
    else if (values_[empty].kind == ValueKind::Tuple)
      elements.push_back(filling.element.valid() ? filling.element : value);
    else if (!type)
      value = derive(values_, index_, Derived::SomeValue, {{value}});
  }
  return values_.conditional(guard, elements.empty() ? value : values_.node(ValueKind::Tuple, elements), empty);
}

ValueId Query::truthiness(ValueId given) const {
  const ValueId v = values_.asked_by(given);
  const Value& value = values_[v];
  if (value.kind == ValueKind::Unary && value.op == ir::Operator::Not) {
    const ValueId inner = values_.child(v, 0), truth = truthiness(inner);
    return truth == inner ? v : values_.unary(ir::Operator::Not, truth);
  }
  if (value.kind == ValueKind::Binary && is_call_of(values_, index_, values_.child(v, 0), Builtin::Len) &&
      values_.child(v, 1) == values_.integer(0) && values_[values_.child(v, 0)].child_count == 1) {  // not `len(*all)`
    const bool tests_emptiness = value.op == ir::Operator::Equal;
    if (!tests_emptiness && value.op != ir::Operator::NotEqual && value.op != ir::Operator::Greater) return v;
    const ValueId list = values_.child(values_.child(v, 0), 0), truth = truthiness(list);
    if (truth == list) return v;
    return tests_emptiness ? values_.unary(ir::Operator::Not, truth) : truth;
  }
  if (is_chosen_of_batch(values_, v)) {
    const ValueId length = values_.node(ValueKind::Pure, {{v}}, index_.intern("len").index);
    return values_.binary(ir::Operator::NotEqual, length, values_.integer(0));
  }
  // `if mine:` of `mine = [r for r in (0, 4) if r == rank]`
  if (const auto elements = given_for_each(values_, index_, v)) {
    std::vector<ValueId> there;
    for (const GivenForElement& one : *elements) there.push_back(one.guard.valid() ? one.guard : values_.boolean(true));
    if (!there.empty()) return values_.conjunction(false, there);
  }
  if (const ValueId gone_over = empty_as(values_, index_, v); gone_over.valid()) return truthiness(gone_over);
  if (value.kind != ValueKind::Conditional) return v;
  const ValueId condition = values_.child(v, 0), yes = values_.child(v, 1), no = values_.child(v, 2);
  // What is set is taken for true: `if self.writer:` asks whether there is one.
  const auto is_true = [&](ValueId side) {
    return values_.truth(side) == ValueStore::Truth::Yes || derived_of(values_, index_, side) == Derived::SomeValue;
  };
  if (is_true(yes) && is_empty(values_[no])) return condition;
  if (is_empty(values_[yes]) && is_true(no)) return values_.unary(ir::Operator::Not, condition);
  return v;
}

}  // namespace ranklint
