// Lists that a function makes, and what is known of them until it changes them, also by a second name.
//
// One that grows, by `todo.append(x)` or `todo += [x]`, is known to be longer only where nothing else can change it:
// `todo.clear()`, `del todo[:]`, a second name, a function that it is passed to.
#include <algorithm>
#include <array>
#include <set>

#include "analyzer/interp/function_run.h"
#include "analyzer/ir/shared_variable.h"
#include "analyzer/variance/known.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

static bool is_reference(ir::ExprKind kind) {
  return kind == ir::ExprKind::Name || kind == ir::ExprKind::Attribute || kind == ir::ExprKind::Subscript;
}

static bool is_display(ir::ExprKind kind) {
  return kind == ir::ExprKind::List || kind == ir::ExprKind::Tuple || kind == ir::ExprKind::Dict;
}

bool FunctionRun::names(ir::ExprId e, Symbol variable) const {
  return e.valid() && f_.exprs[e].kind == ir::ExprKind::Name && index_.name(module_, f_.exprs[e].symbol) == variable;
}

// Whether the list may be in another variable as well, or in something that is made of it.
bool FunctionRun::has_second_name(Symbol list) const {
  const auto is_it = [&](ir::ExprId e) { return names(e, list); };
  const auto names_it_anew = [&](const ir::Instruction& i) {
    return i.kind == ir::InstructionKind::Assign &&
           (is_it(i.value) || (is_it(i.target) && is_reference(f_.exprs[i.value].kind)));
  };
  for (uint32_t e = 0; e < f_.exprs.size(); ++e)
    if (is_display(f_.exprs[ir::ExprId{e}].kind) && std::ranges::any_of(ir::children(f_, ir::ExprId{e}), is_it))
      return true;
  return std::ranges::any_of(
      f_.blocks, [&](const ir::Block& block) { return std::ranges::any_of(block.instructions, names_it_anew); });
}

// Whether the function mentions the list in a place where it may be changed, or get a second name. Where it grows, is
// gone through, tested or counted, it does not.
bool FunctionRun::is_changed_elsewhere(Symbol list) const {
  std::set<ir::ExprId> harmless;
  const auto is_it = [&](ir::ExprId e) { return names(e, list); };
  const auto allow = [&](ir::ExprId e) {
    if (is_it(e)) harmless.insert(e);
  };
  const auto only_reads = [&](ir::ExprId callee) {
    const ir::Expr& e = f_.exprs[callee];
    if (e.kind != ir::ExprKind::Name) return false;
    return std::ranges::any_of(
        std::array{Role::CountsElements, Role::FollowsFromArguments, Role::KeepsElements, Role::KeepsLength},
        [&](Role role) { return in_.roles().play(ir_.text(e.symbol), role); });
  };
  for (const ir::Block& block : f_.blocks) {
    for (const ir::Instruction& i : block.instructions) {
      allow(i.target);
      if (i.kind == ir::InstructionKind::Assign && is_it(i.target) && f_.exprs[i.value].kind == ir::ExprKind::Binary)
        allow(ir::children(f_, i.value)[0]);
      if (const ir::ExprId grown = grown_list(i); grown.valid()) allow(grown);
      if (i.kind == ir::InstructionKind::Call && only_reads(i.value))
        for (const ir::Argument& a : ir::arguments(f_, i)) allow(a.value);
    }
    const ir::Terminator& end = block.terminator;
    if (end.kind == ir::TerminatorKind::Iterate || end.kind == ir::TerminatorKind::Branch) allow(end.value);
  }
  for (uint32_t e = 0; e < f_.exprs.size(); ++e)
    if (is_it(ir::ExprId{e}) && !harmless.contains(ir::ExprId{e})) return true;
  return has_second_name(list) ||
         is_shared_variable(ir_, f_, [&](Symbol name) { return index_.name(module_, name) == list; });
}

// The list with these elements added at its end.
ValueId FunctionRun::list_with(Symbol list, ValueId before, ValueId added) {
  const auto [known, is_new] = changed_elsewhere_.try_emplace(list, false);
  if (is_new) known->second = is_changed_elsewhere(list);
  const ValueId joined = known->second ? ValueId{} : lists_joined(values_, before, added);
  if (joined.valid()) return joined;
  return is_filled_by_some(before) ? opaque() : values_.binary(ir::Operator::Add, before, added);
}

// Whether it is a list that some ranks have put something into. When all of them go on to fill it, what they have in
// common is not known.
bool FunctionRun::is_filled_by_some(ValueId list) const {
  return values_[list].kind == ValueKind::Conditional && values_.is_list(list) && values_.diverges(list);
}

ValueId FunctionRun::value_assigned(const ir::Instruction& i, Environment& env) {
  const ir::Expr& value = f_.exprs[i.value];
  if (value.kind != ir::ExprKind::Binary || value.op != ir::Operator::Add ||
      f_.exprs[i.target].kind != ir::ExprKind::Name)
    return evaluate(i.value, env);
  const Symbol place = f_.exprs[i.target].symbol;
  const auto sides = ir::children(f_, i.value);
  const bool adds_to_it = f_.exprs[sides[0]].kind == ir::ExprKind::Name && f_.exprs[sides[0]].symbol == place;
  const ValueId before = adds_to_it ? evaluate(sides[0], env) : ValueId{};
  if (!before.valid() || !values_.is_list(before)) return evaluate(i.value, env);
  forget_other_names(Environment::key(index_.name(module_, place)), before, opaque(), env);
  return list_with(index_.name(module_, place), before, evaluate(sides[1], env));
}

// A list that is written down, or was made of what there is for each element.
bool FunctionRun::is_list_known(ValueId v) const {
  if (values_.is_small_choice(v)) return is_list_known(values_.child(v, 1)) || is_list_known(values_.child(v, 2));
  return values_[v].kind == ValueKind::Tuple || is_made_of_elements(v);
}

// What was known of a list holds no longer, by whatever name it is called but for this one. `left`: what is left of it.
void FunctionRun::forget_except(const PlaceKey& kept, ValueId list, ValueId left, Environment& env) {
  std::vector<PlaceKey> held;
  for (const auto& [place, value] : env.places())
    if (value == list && place != kept) held.push_back(place);
  for (const PlaceKey& place : held) env.set(place, left);
}

// Of a list that is changed by this name.
void FunctionRun::forget_other_names(const PlaceKey& changed, ValueId list, ValueId left, Environment& env) {
  if (!is_list_known(list)) return;
  const auto [known, is_new] = with_second_name_.try_emplace(changed.name, false);
  if (is_new) known->second = has_second_name(changed.name);
  if (known->second) forget_except(changed, list, left, env);
}

// Of a list that the rounds of a loop change by this name.
void FunctionRun::forget_before_rounds(ir::ExprId as, ValueId list, Environment& env) {
  if (is_filled_by_some(list))
    forget_except({}, list, opaque(), env);
  else
    forget_other_names(Environment::key(index_.name(module_, f_.exprs[as].symbol)), list, opaque(), env);
}

// Of a list that is changed as this expression.
void FunctionRun::forget_list(ir::ExprId as, ValueId left, Environment& env) {
  const ValueId list = evaluate(as, env);
  if (!is_list_known(list)) return;
  if (f_.exprs[as].kind != ir::ExprKind::Name) return forget_except({}, list, left, env);
  const PlaceKey place = Environment::key(index_.name(module_, f_.exprs[as].symbol));
  forget_other_names(place, list, left, env);
  env.set(place, left);
}

// The variable whose list an instruction changes: `todo.append(x)`, `todo.clear()`, `del todo[0]`, `todo[0] = x`.
// Invalid: it changes none.
ir::ExprId FunctionRun::list_changed(const ir::Instruction& i) const {
  const auto variable = [&](ir::ExprId part) {
    const ir::ExprId whole = ir::children(f_, part)[0];
    return f_.exprs[whole].kind == ir::ExprKind::Name ? whole : ir::ExprId{};
  };
  if (i.target.valid() && f_.exprs[i.target].kind == ir::ExprKind::Subscript) return variable(i.target);
  const bool changes = i.kind == ir::InstructionKind::Call && f_.exprs[i.value].kind == ir::ExprKind::Attribute &&
                       in_.roles().play(ir_.text(f_.exprs[i.value].symbol), Role::ChangesElements);
  return changes ? variable(i.value) : grown_list(i);
}

// `del todo[:]`
void FunctionRun::forget_deleted(ir::ExprId target, Environment& env) {
  if (!target.valid() || f_.exprs[target].kind != ir::ExprKind::Subscript) return;
  const ir::ExprId whole = ir::children(f_, target)[0];
  forget_list(whole, opaque(), env);
  give_up_entries(whole, env);
}

// The lists of this function that one inside of it mentions: it may change them.
void FunctionRun::forget_mentioned_in(FunctionKey called, Environment& env) {
  const ir::Function& inner = index_.function(called);
  if (index_.functions()[called].module != module_ || !inner.parent.valid() || &ir_.functions[inner.parent] != &f_)
    return;
  for (const ir::Expr& e : inner.exprs) {
    const PlaceKey place = Environment::key(index_.name(module_, e.symbol));
    const ValueId held = e.kind == ir::ExprKind::Name ? env.get(place) : ValueId{};
    if (!held.valid() || !is_list_known(held)) continue;
    forget_other_names(place, held, opaque(), env);
    env.set(place, opaque());
  }
}

// After a method that changes it, or a function that it is passed to.
void FunctionRun::forget_elements(const ir::Instruction& i, const Call& call, Environment& env) {
  const ir::Expr& callee = f_.exprs[i.value];
  if (callee.kind == ir::ExprKind::Attribute) {
    const ir::ExprId object = ir::children(f_, i.value)[0];
    const std::string_view method = ir_.text(callee.symbol);
    if (in_.roles().play(method, Role::ChangesElements) || is_made_of_elements(evaluate(object, env)))
      forget_list(object, in_.roles().play(method, Role::Empties) ? values_.node(ValueKind::Tuple, {}) : opaque(), env);
  }
  const auto targets = in_.targets(call.callee);
  for (const auto& target : targets) forget_mentioned_in(target.function, env);
  if (targets.empty()) return;
  for (const ir::Argument& a : ir::arguments(f_, i))
    if (const ValueId given = is_local(a.value) ? evaluate(a.value, env) : ValueId{};
        given.valid() && (is_made_of_elements(given) || values_.diverges(given)))
      forget_list(a.value, opaque(), env);
}

// Whether there is something to go through on every rank.
bool FunctionRun::has_elements(ValueId iterable) const {
  if (values_.is_small_choice(iterable))
    return has_elements(values_.child(iterable, 1)) && has_elements(values_.child(iterable, 2));
  return values_[iterable].kind == ValueKind::Tuple && values_[iterable].child_count > 0;
}

// Whether the loop that is headed by the block goes round once more.
ValueId FunctionRun::another_round(ir::BlockId header, ValueId iterable) {
  const ir::Expr& gone_over = f_.exprs[f_.blocks[header].terminator.value];
  if (!out_.graph().is_loop_header(header) && has_elements(iterable)) return values_.boolean(true);
  const auto known = gone_over.kind == ir::ExprKind::Name
                         ? changed_elsewhere_.find(index_.name(module_, gone_over.symbol))
                         : changed_elsewhere_.end();
  const bool is_open = known != changed_elsewhere_.end() && known->second && values_.is_list(iterable);
  return derive(values_, index_, Derived::MoreRounds, {{is_open ? opaque() : rounds_of(iterable)}});
}

}  // namespace ranklint
