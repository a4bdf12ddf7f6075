// The batch of this rank, followed from the loader to what is computed of it.
//
//     for step, batch in enumerate(train_loader):
//         loss = model(batch)
//         if torch.isnan(loss): continue      # on one rank, perhaps
//         loss.backward()
//
// Each rank loads its own; a call that nothing is known of makes of a batch something that is each rank's own as well,
// unless its name says that ranks agree in it. What conditions may ask of a batch says ValueStore.
#include <algorithm>

#include "analyzer/interp/function_run.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/callee_role.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/given.h"
#include "analyzer/variance/leads_to.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

// Of a call's arguments that are remembered: data, targets, masks and what steps and schedules add.
constexpr size_t kMostParts = 8;

// `any(torch.isnan(loss) for loss in losses)`: the name of the test that the generator makes; empty: it makes none.
std::string_view test_for_no_number(const Roles& roles, const ProjectIndex& index, FunctionKey f) {
  const ir::Module& module = index.modules()[index.functions()[f].module];
  const ir::Function& function = index.function(f);
  if (module.text(function.name) != "<genexpr>") return {};
  for (uint32_t b = 0; b < function.blocks.size(); ++b)
    for (const ir::Instruction& i : function.blocks[ir::BlockId{b}].instructions) {
      if (i.kind != ir::InstructionKind::Call) continue;
      const ir::Expr& callee = function.exprs[i.value];
      if (callee.kind != ir::ExprKind::Name && callee.kind != ir::ExprKind::Attribute) continue;
      if (roles.play(module.text(callee.symbol), Role::LooksForNoNumber)) return module.text(callee.symbol);
    }
  return {};
}

}  // namespace

bool FunctionRun::is_loader(ValueId iterable) {
  const Value& v = values_[iterable];
  if (const Symbol type = values_.external_type_of(iterable); type.valid())
    return suggests(index_.names().text(type), NameMeaning::Loader);
  const bool named = v.kind == ValueKind::Parameter || v.kind == ValueKind::Attribute || v.kind == ValueKind::Global ||
                     v.kind == ValueKind::Free;
  return named && values_.of_unknown_origin(iterable) && suggests(in_.last_name(iterable), NameMeaning::Loader);
}

ValueId FunctionRun::loaded_batch(SiteId site) {
  const ValueId batch = values_.batch(site.index);
  loaded_.insert(batch);
  return batch;
}

// `if batch is None: continue`: the test says that a loader may have none for a rank. Invalid: it tests something else.
ValueId FunctionRun::asked_for_batch(ir::Operator op, ValueId left, ValueId right) {
  const bool is = op == ir::Operator::Is;
  if ((!is && op != ir::Operator::IsNot) || values_[right].kind != ValueKind::None || !is_loaded(left)) return {};
  return is ? missing_batch(left) : values_.negate(missing_batch(left));
}

// Whether a loader has none for this rank.
ValueId FunctionRun::missing_batch(ValueId batch) { return derive(values_, index_, Derived::MissingBatch, {{batch}}); }

// A batch, or the first part of one: `for images, masks in loader`. The others may be left out of all.
bool FunctionRun::is_loaded(ValueId v) const {
  int64_t place = 0;
  while (values_[v].kind == ValueKind::Subscript && values_.integer_of(values_.child(v, 1), place) && place == 0)
    v = values_.child(v, 0);
  return loaded_.contains(v);
}

// What the truth of a value asks: of a batch, whether there is one. `if not batch: continue` is `if batch is None`. Not
// of a part of one: the truth of a tensor is its number.
ValueId FunctionRun::truth_asked(ValueId v) { return loaded_.contains(v) ? values_.negate(missing_batch(v)) : v; }

// `next(self.data_iter)`, `next(train_loader_iter)`: made of a loader somewhere else.
bool FunctionRun::is_loader_iterator(ValueId iterator) {
  if (is_loader(iterator)) return true;
  const Value& v = values_[iterator];
  const bool kept = v.kind == ValueKind::Attribute || v.kind == ValueKind::Global || v.kind == ValueKind::Free;
  if (!kept || !values_.of_unknown_origin(iterator)) return false;
  return suggests(in_.last_name(iterator), NameMeaning::LoaderIterator);
}

// `train_dataloader = accelerator.prepare(train_dataloader)`: only its name says what comes back.
bool FunctionRun::is_called_loader(std::string_view variable) const {
  return suggests(variable, NameMeaning::LoaderMade);
}

// `accelerator.prepare(loader)`: there is no model in it to wrap.
bool FunctionRun::is_given_loaders_alone(const Call& call, const ir::Instruction* i) {
  if (!i || call.positional.empty() || call.open_ended || !call.keywords.empty()) return false;
  const auto arguments = ir::arguments(f_, *i);
  if (arguments.size() != call.positional.size()) return false;
  for (size_t n = 0; n < arguments.size(); ++n) {
    const ir::Expr& written = f_.exprs[arguments[n].value];
    const bool called = written.kind == ir::ExprKind::Name && is_called_loader(ir_.text(written.symbol));
    if (!called && !is_loader(call.positional[n])) return false;
  }
  return true;
}

// What a loop's target is in one round: of a loader its batch, of `zip(a, b)` and `enumerate(a)` the elements of their
// parts.
ValueId FunctionRun::element_of(const ir::Terminator& loop, ValueId iterable, SiteId site) {
  // `for size in [512]:` holds what is written there; a list that has a name may have grown.
  const ir::ExprKind written = f_.exprs[loop.value].kind;
  if ((written == ir::ExprKind::List || written == ir::ExprKind::Tuple) && values_[iterable].kind == ValueKind::Tuple &&
      values_[iterable].child_count == 1)
    return values_.child(iterable, 0);
  std::map<ValueId, ValueId> known;
  return element_of(iterable, site, known);
}

ValueId FunctionRun::element_of(ValueId iterable, SiteId site, std::map<ValueId, ValueId>& known) {
  if (const auto before = known.find(iterable); before != known.end()) return before->second;
  if (is_loader(iterable)) return known[iterable] = loaded_batch(site);
  if (const ValueId batch = yielded_batch(iterable, site, known); batch.valid()) return known[iterable] = batch;
  const ValueId element = values_.node(ValueKind::Element, {{iterable}}, site.index);
  const std::string_view function = function_of(values_, index_, iterable);
  const uint32_t given = values_[iterable].child_count;
  if (is_builtin(function, Builtin::Enumerate) && given > 0)
    return known[iterable] = values_.node(ValueKind::Tuple, {{values_.subscript(element, values_.integer(0)),
                                                              element_of(values_.child(iterable, 0), site, known)}});
  if (!is_builtin(function, Builtin::Zip) || given == 0)
    return known[iterable] = values_.with_type(element, in_.element_type(iterable));
  std::vector<ValueId> parts;
  for (uint32_t i = 0; i < given; ++i) parts.push_back(element_of(values_.child(iterable, i), site, known));
  return known[iterable] = values_.node(ValueKind::Tuple, parts);
}

// `def training_step(self, batch, i)` of a LightningModule: the framework hands over what this rank loaded.
bool FunctionRun::is_handed_batch(uint32_t parameter) const {
  const RoleEntry* hook = role_of_method(in_.roles(), index_, key_, Role::TakesBatch);
  return hook && hook->argument.position >= 0 && static_cast<uint32_t>(hook->argument.position) + 1 == parameter;
}

bool FunctionRun::takes_batch(const Call& call) const {
  const auto of_batch = [&](ValueId v) { return is_of_batch(values_, index_, v); };
  for (const ValueId star : {call.star, call.double_star})
    if (star.valid() && of_batch(star)) return true;
  return gives(call, of_batch);
}

// What a call gives of which nothing is known but what it was given: of a batch, something of that.
ValueId FunctionRun::made_of_unknown(const Call& call, ValueId unknown) {
  if (const ValueId own = made_of_batch(call); own.valid()) return own;
  if (values_[unknown].type || values_[unknown].child_count) return unknown;
  const std::vector<ValueId> parts = may_bring_batch(call);
  return parts.empty() ? unknown : values_.node(ValueKind::Opaque, parts, here().index);
}

// Whether a name that leads to it says that ranks agree in it: its own, its object's or its module's, or its key in a
// table. `dist_utils.mean(x)`, `trainer.reducer.apply(x)`, `reducers[0](x)`
bool FunctionRun::is_named_for_agreement(ValueId callee) const {
  const auto suggests_agreement = [&](std::string_view name) { return suggests(name, NameMeaning::Agreement); };
  for (ValueId v = callee;; v = values_.child(v, 0)) {
    const Value& value = values_[v];
    const SymbolTable& names = index_.names();
    switch (value.kind) {
      case ValueKind::External: return suggests_agreement(names.text(Symbol{value.a}));
      case ValueKind::Opaque:
        return suggests_agreement(in_.name_of_unknown(v).name);  // a variable, or the function that returned it
      case ValueKind::Instance:
      case ValueKind::Class: return suggests_agreement(in_.class_name(ClassKey{value.a}));
      case ValueKind::Subscript:
        if (const Value& key = values_[values_.child(v, 1)];
            key.kind == ValueKind::Text && suggests_agreement(names.text(Symbol{key.a})))
          return true;
        [[fallthrough]];
      case ValueKind::Attribute:
      case ValueKind::Element:
      case ValueKind::Believed:
        if (suggests_agreement(in_.variable_of(v))) return true;
        break;
      default: return suggests_agreement(in_.variable_of(v));
    }
  }
}

// Whether ranks have the same of it for any operand: they agree on it, or it is the form that is read.
bool FunctionRun::gives_alike(const Call& call) const {
  const Value& callee = values_[call.callee];
  const bool named = callee.kind == ValueKind::Attribute || callee.kind == ValueKind::External;
  const std::string_view name = named ? last_part(index_.names().text(Symbol{callee.a})) : std::string_view();
  if (is_named_for_agreement(call.callee)) return true;
  return callee.kind == ValueKind::Attribute && in_.roles().play(name, Role::TellsForm);
}

// The parts that a term's numbers are computed of.
static std::span<const ValueId> computed_of(const ValueStore& values, ValueId v) {
  const std::span<const ValueId> parts = values.children(v);
  switch (values[v].kind) {
    case ValueKind::Attribute:
    case ValueKind::Subscript:
    case ValueKind::Element: return parts.first(1);
    case ValueKind::Conditional: return parts.subspan(1);
    case ValueKind::Unary:
    case ValueKind::Binary:
    case ValueKind::Tuple:
    case ValueKind::LoopPhi: return parts;
    case ValueKind::Pure:
      return values.is_result_of(v, ValueStore::Trait::ComputesOfValues) ? parts : std::span<const ValueId>();
    default: return {};
  }
}

// Whether `take` takes one of the parts of a term into which a caller of this function may have put a batch.
bool FunctionRun::find_open_part(ValueId v, const std::function<bool(ValueId)>& take) const {
  return leads_to(v, [&](ValueId part, std::vector<ValueId>& next) {
    if (values_[part].kind == ValueKind::Opaque) return std::ranges::any_of(values_.children(part), take);
    if (is_argument_of_unknown_kind(part)) return take(part);
    add_parts(next, computed_of(values_, part));
    return false;
  });
}

// The parts of a call in which a caller of this function may have put a batch, where the call's result is not known:
// they stay in it until the caller is asked.
//
//     def step(model, batch):
//         loss = model(batch)                 # nothing is known of either
//         if torch.isnan(loss): return        # of this rank's batch, if that is what it was given
std::vector<ValueId> FunctionRun::may_bring_batch(const Call& call) const {
  std::vector<ValueId> parts;
  if (!ir_.has(ir::Convention::DeclaresNoTypes)) return parts;
  const auto keep = [&](ValueId part) {
    if (std::ranges::find(parts, part) == parts.end()) parts.push_back(part);
    return parts.size() == kMostParts;
  };
  const auto add = [&](ValueId whole) {
    if (whole.valid() && parts.size() < kMostParts) find_open_part(whole, keep);
  };
  if (values_[call.callee].kind == ValueKind::Attribute) add(values_.child(call.callee, 0));
  for (ValueId given : call.positional) add(given);
  for (const auto& [_, given] : call.keywords) add(given);
  add(call.star);
  add(call.double_star);
  std::ranges::sort(parts);
  if (!parts.empty() && gives_alike(call)) parts.clear();
  return parts;
}

// The variables that the function asks for their numbers: a method, a comparison, isnan. A flag is not asked so, and
// has to stay the flag that it was.
std::set<Symbol> FunctionRun::variables_asked_for_numbers() const {
  std::set<Symbol> asked;
  const auto ask = [&](ir::ExprId e) {
    if (f_.exprs[e].kind == ir::ExprKind::Name) asked.insert(f_.exprs[e].symbol);
  };
  const auto ask_compared = [&](ir::ExprId e) {
    const ir::Expr& expr = f_.exprs[e];
    if (expr.kind == ir::ExprKind::Binary && is_order(expr.op)) std::ranges::for_each(ir::children(f_, e), ask);
    return false;
  };
  for (const ir::Block& block : f_.blocks) {
    if (block.terminator.value.valid()) ir::any_part(f_, block.terminator.value, ask_compared);
    for (const ir::Instruction& i : block.instructions) {
      if (i.kind != ir::InstructionKind::Call) continue;
      const ir::Expr& callee = f_.exprs[i.value];
      if (callee.kind == ir::ExprKind::Attribute) ask(ir::children(f_, i.value)[0]);
      const bool tests = (callee.kind == ir::ExprKind::Name || callee.kind == ir::ExprKind::Attribute) &&
                         in_.roles().play(ir_.text(callee.symbol), Role::LooksForNoNumber);
      if (tests)
        for (const ir::Argument& a : ir::arguments(f_, i)) ask(a.value);
    }
  }
  return asked;
}

bool FunctionRun::reads_numbers(Symbol variable) {
  if (!asked_for_numbers_) asked_for_numbers_ = variables_asked_for_numbers();
  return asked_for_numbers_->contains(variable);
}

// What callers may have put a batch in is alike after the collective that fills it.
void FunctionRun::forget_batch(ir::ExprId buffer, Environment& env) {
  if (!buffer.valid() || f_.exprs[buffer].kind != ir::ExprKind::Name) return;
  const PlaceKey place = Environment::key(index_.name(module_, f_.exprs[buffer].symbol));
  const ValueId old = env.get(place);
  if (!old.valid()) return;
  // A sum, or another number that is computed, is no flag.
  const bool is_number = values_[old].kind == ValueKind::LoopPhi || values_[old].kind == ValueKind::Binary;
  const bool may_hold_batch = find_open_part(old, [](ValueId) { return true; });
  if (may_hold_batch && (is_number || reads_numbers(f_.exprs[buffer].symbol))) env.set(place, opaque());
}

// A parameter that is no object known by its type, a part of one, or what is computed of that: `labels != -100`.
bool FunctionRun::is_argument_of_unknown_kind(ValueId v) const {
  while (true) {
    const Value& value = values_[v];
    switch (value.kind) {
      case ValueKind::Attribute:
      case ValueKind::Subscript:
      case ValueKind::Binary:
      case ValueKind::Element: v = values_.child(v, 0); continue;
      case ValueKind::Parameter: return value.a == key_.index && !value.type;
      default: return false;
    }
  }
}

// What a call makes of a batch, where nothing else is known of it; invalid: nothing of this rank's own.
ValueId FunctionRun::made_of_batch(const Call& call) {
  const Value callee = values_[call.callee];
  const bool method =
      callee.kind == ValueKind::Attribute && is_of_batch(values_, index_, values_.child(call.callee, 0));
  if (!method && !takes_batch(call)) return {};
  if (callee.kind == ValueKind::Function)
    if (const std::string_view test = test_for_no_number(in_.roles(), index_, FunctionKey{callee.a});
        !test.empty() && !call.positional.empty() && values_[call.positional[0]].of_batch)
      return values_.node(ValueKind::Pure, {{call.positional[0]}}, index_.intern(test).index);
  const std::string_view name = last_part(callee.kind == ValueKind::Attribute || callee.kind == ValueKind::External
                                              ? index_.names().text(Symbol{callee.a})
                                              : std::string_view());
  if (method && in_.roles().play(name, Role::TellsSize)) {
    std::vector<ValueId> asked{values_.child(call.callee, 0)};
    asked.insert(asked.end(), call.positional.begin(), call.positional.end());
    return values_.node(ValueKind::Pure, asked, index_.intern(name).index);
  }
  if (gives_alike(call)) return {};
  if (method && in_.roles().play(name, Role::LooksForNoNumber))
    return values_.node(ValueKind::Pure, {{values_.child(call.callee, 0)}}, index_.intern(name).index);
  return values_.batch(here().index);
}

}  // namespace ranklint
