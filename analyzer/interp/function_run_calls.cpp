// What a call does: models first, then builtins, then bodies; unknown otherwise.
#include <algorithm>

#include "analyzer/interp/function_run.h"
#include "analyzer/interp/rank_sharding.h"
#include "analyzer/resolve/builtins.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/entries.h"
#include "analyzer/summary/tensors.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

Step& FunctionRun::add_step(const SourceRange& range) {
  Step step;
  step.site = here();
  step.range = range;
  auto& steps = out_.blocks[block_.index].steps;
  steps.push_back(std::move(step));
  return steps.back();
}

Step& FunctionRun::add_aside(const SourceRange& range) {
  auto& point_to_point = out_.blocks[block_.index].point_to_point;
  point_to_point.push_back({.site = here(), .range = range, .guard = {}, .event = {}, .call = {}, .made = {}});
  return point_to_point.back();
}

Call FunctionRun::collect_arguments(const ir::Instruction& i, ValueId callee, Environment& env) {
  Call call;
  call.callee = callee;
  for (const ir::Argument& a : ir::arguments(f_, i)) {
    const ValueId v = evaluate(a.value, env);
    switch (a.kind) {
      case ir::ArgumentKind::Positional:
        call.mixed |= call.star.valid();
        call.positional.push_back(v);
        break;
      case ir::ArgumentKind::Keyword: call.keywords.emplace_back(index_.name(module_, a.keyword), v); break;
      case ir::ArgumentKind::Star:
        if (values_[v].kind == ValueKind::Tuple) {
          for (ValueId part : std::vector<ValueId>(values_.children(v).begin(), values_.children(v).end()))
            call.positional.push_back(part);
        } else {
          call.mixed |= call.star.valid();
          call.star = v;
          call.open_ended = true;
        }
        break;
      case ir::ArgumentKind::DoubleStar:
        call.mixed |= call.double_star.valid();
        call.double_star = v;
        call.open_ended = true;
        break;
    }
  }
  if (!call.mixed && call.double_star.valid() && Entries(values_, index_).known(call.double_star))
    in_.spread_stars(call);
  return call;
}

bool FunctionRun::is_local(ir::ExprId e) const {
  return f_.exprs[e].kind == ir::ExprKind::Name && is_local(index_.name(module_, f_.exprs[e].symbol));
}

// A dictionary that something may have been done to: what is known of its entries no longer holds.
void FunctionRun::give_up_entries(ir::ExprId e, Environment& env) {
  if (!is_local(e)) return;
  const ValueId before = evaluate(e, env);
  if (is_keywords(before) || (Entries(values_, index_).known_on_each_side(before) && !values_.diverges(before)))
    env.set(Environment::key(index_.name(module_, f_.exprs[e].symbol)), opaque());
}

// `options.update(...)`, and `build(options)` of the project.
void FunctionRun::forget_entries(const ir::Instruction& i, const Call& call, Environment& env) {
  const ir::Expr& callee = f_.exprs[i.value];
  if (callee.kind == ir::ExprKind::Attribute && in_.roles().play(ir_.text(callee.symbol), Role::ChangesEntries)) {
    const ir::ExprId object = ir::children(f_, i.value)[0];
    // What is popped of the keywords is still known by its name.
    if (is_local(object) &&
        (!in_.roles().play(ir_.text(callee.symbol), Role::TakesElement) || !is_keywords(evaluate(object, env))))
      give_up_entries(object, env);
    return;
  }
  for (const ir::Argument& a : ir::arguments(f_, i))
    if (a.kind == ir::ArgumentKind::Positional && is_local(a.value) &&
        Entries(values_, index_).known_on_each_side(evaluate(a.value, env)) && !in_.targets(call.callee).empty())
      give_up_entries(a.value, env);
}

void FunctionRun::run_call(const ir::Instruction& i, Environment& env) {
  const ValueId callee = evaluate(i.value, env);
  const Call call = collect_arguments(i, callee, env);
  const ValueId own = asked_of_selection(i);
  const ValueId result = own.valid() ? own : apply(call, env, i.range, &i);
  forget_entries(i, call, env);
  forget_elements(i, call, env);
  note_stated_type(i, call, env);
  if (i.target.valid()) assign(i.target, result, env);
  if (const ir::ExprId list = grown_list(i); list.valid()) grow(list, call, env);
}

// A list of this function with one more element: which ranks have it follows from which ranks get here. The element
// does not matter where the list is tested for being empty, so an element that differs between ranks counts as unknown.
void FunctionRun::grow(ir::ExprId list, const Call& call, Environment& env) {
  const PlaceKey place = Environment::key(index_.name(module_, f_.exprs[list].symbol));
  const ValueId before = env.get(place);
  if (!before.valid() || !values_.is_list(before) || call.positional.size() != 1) return;
  forget_other_names(place, before, opaque(), env);
  if (values_.is_list(call.positional[0]) && values_[call.callee].kind == ValueKind::Attribute &&
      in_.roles().play(index_.names().text(Symbol{values_[call.callee].a}), Role::AddsElements))
    return env.set(place, list_with(place.name, before, call.positional[0]));
  const ValueId element = values_.diverges(call.positional[0]) ? opaque() : call.positional[0];
  env.set(place, list_with(place.name, before, values_.node(ValueKind::Tuple, {{element}})));
}

ValueId FunctionRun::argument(const Call& call, const ArgumentSpec& spec) { return in_.argument(call, spec); }

bool FunctionRun::is_environment(ValueId v) const {
  return values_[v].kind == ValueKind::External &&
         in_.roles().play(index_.names().text(Symbol{values_[v].a}), Role::HoldsEnvironment);
}

// Whether the value is what this function takes as `**kwargs`.
bool FunctionRun::is_keywords(ValueId v) const {
  const Value& value = values_[v];
  return value.kind == ValueKind::Parameter && value.a == key_.index && value.b < f_.parameters.size() &&
         f_.parameters[value.b].kind == ir::ParameterKind::DoubleStar;
}

// `group.rank()`: a process group's method gives the rank within it. Other libraries' groups have an attribute of that
// name, for the rank in the world. Invalid: the call is none of that.
ValueId FunctionRun::rank_asked_of_group(const ir::Instruction& call, Environment& env) {
  if (call.kind != ir::InstructionKind::Call || f_.exprs[call.value].kind != ir::ExprKind::Attribute) return {};
  const Model* model = ir::arguments(f_, call).empty()
                           ? in_.model_of_member(Role::ProcessGroupClass, ir_.text(f_.exprs[call.value].symbol))
                           : nullptr;
  if (!model || model->kind != ModelKind::RankSource) return {};
  const ValueId group = evaluate(ir::children(f_, call.value)[0], env);
  return values_[group].kind == ValueKind::Group ? in_.coordinate_value(*model, group) : ValueId{};
}

// Whether the project's own function communicates, where a model only takes it for a primitive by its name.
static bool communicates_itself(const Query& in, const Call& call, const Model& model) {
  const bool is_guess = is_primitive(model) && model_certainty(model, {}).degree() != Confidence::Certain;
  if (!is_guess || in.values()[call.callee].kind != ValueKind::Function) return false;
  const std::vector<Target> targets = in.targets(call.callee);
  return !targets.empty() && std::ranges::all_of(targets, [&](const Target& target) {
    const Summary* body = in.summary(target.function);
    return body && body->communicates;
  });
}

// `sys.exit()`, `os._exit(0)`
static bool tells_success(const ValueStore& values, const Call& call) {
  const auto is_success = [&](ValueId code) {
    int64_t number = 0;
    return values[code].kind == ValueKind::None || (values.integer_of(code, number) && number == 0);
  };
  return !call.open_ended && call.keywords.empty() && std::ranges::all_of(call.positional, is_success);
}

ValueId FunctionRun::apply(Call call, Environment& env, const SourceRange& range, const ir::Instruction* i) {
  in_.unfold_partial(call);
  if (runs_elsewhere(call)) return apply(std::move(call), env, range, i);
  const Value callee = values_[call.callee];
  switch (callee.kind) {
    // A coordinate read as a property and called, or a model's value called as written.
    case ValueKind::Coordinate:
    case ValueKind::Size:
    case ValueKind::RankIn:
    case ValueKind::SizeIn:
    case ValueKind::Believed:
    case ValueKind::Bool:
    case ValueKind::Group:
    case ValueKind::Binary: {
      const ValueId within = i ? rank_asked_of_group(*i, env) : ValueId{};
      return within.valid() ? within : call.callee;
    }
    default: break;
  }
  if (callee.kind == ValueKind::Attribute && call.positional.empty() && call.keywords.empty() &&
      in_.roles().play(index_.names().text(Symbol{callee.a}), Role::WaitsForWork)) {
    Step& step = add_aside(range);
    step.waits = true;
    step.call.positional = {values_.child(call.callee, 0)};
  }
  if (const ValueId model = wrapped_given(call); model.valid() && takes_batch(call)) out_.ran_wrapped = model;
  const Model* known_as = in_.model_of(call.callee);
  if (!known_as) known_as = backward_of_wrapped(call);
  if (known_as && i && known_as->gives_nothing && goes_by_name(call.callee) && uses_result(*i)) known_as = nullptr;
  if (i) note_watched(call, known_as, range);
  if (known_as && (tells_of_world(call, *known_as) || communicates_itself(in_, call, *known_as))) known_as = nullptr;
  if (known_as) {
    const ValueId v = apply_model(*known_as, call, env, range, i);
    if (v.valid()) return through_argument(*known_as, v);
  }
  const ValueId chosen = communicate_where_chosen(call, {}, env, range, i);
  call_back(call, env, range);
  bool known = false;
  if (callee.kind == ValueKind::External) {
    const std::string_view name = index_.names().text(Symbol{callee.a});
    // `raise SystemExit(0)`, where no handler takes it
    const bool is_raised = in_.roles().play(name, Role::EndsWhenRaised) && !f_.blocks[block_].handler.valid();
    const RoleEntry* ends = in_.roles().find(name, is_raised ? Role::EndsWhenRaised : Role::EndsProcess);
    if (ends && !ir_.has(ir::Convention::ExitEndsJob)) {
      const bool is_done = ends->note.empty() && tells_success(values_, call);
      add_step(range).ending = is_done ? Ending::ProcessDone : Ending::Process;
      return opaque();
    }
    if (ValueId v = apply_builtin(name, call, known); known) return v;
  }
  if (ValueId v = apply_project(call, env, range, known); known) return v;
  if (passed_by_caller(values_, index_, call.callee).valid()) {
    Step& step = add_step(range);  // decided by our caller
    step.call = call;
    return made_of_arguments(call);
  }
  return chosen.valid() ? chosen : apply_unknown(call);
}

// `inner = net.module if isinstance(net, DDP) else net`: the other side is no wrapped model, whatever it may be.
bool FunctionRun::is_chosen_by_kind(ValueId callee) const {
  return values_[callee].kind == ValueKind::Conditional &&
         values_
             .find_part(values_.child(callee, 0),
                        [&](ValueId part) {
                          return is_builtin(
                              function_of(values_, index_, part),
                              {Builtin::Isinstance, Builtin::Issubclass, Builtin::Hasattr, Builtin::Type});
                        })
             .valid();
}

// What library calls communicate, out of those that are chosen from: by each rank for itself (`f = dist.barrier if rank
// == 0 else skip`, then `f()`), or by all alike (`net = DDP(net) if distributed else net`, then `net(x)`). Those of the
// project are targets of the call (Query::targets). What the call leaves changed is not followed: it is so on some
// ranks only. Returns what it gives, invalid where no such call is among them.
ValueId FunctionRun::communicate_where_chosen(const Call& call, ValueId guard, const Environment& env,
                                              const SourceRange& range, const ir::Instruction* i) {
  ValueId given;
  if (is_chosen_by_kind(call.callee)) return given;
  for (const Query::Choice& choice : in_.guarded_choices_of(call.callee)) {
    const ValueId here =
        guard.valid() ? values_.conjunction(true, std::vector<ValueId>{guard, choice.guard}) : choice.guard;
    Call chosen = call;
    chosen.callee = choice.callee;
    in_.unfold_partial(chosen);
    ValueId made = communicate_where_chosen(chosen, here, env, range, i);
    const Model* model = in_.model_of(chosen.callee);
    const bool communicates = model && (is_primitive(*model) || model->kind == ModelKind::Collective);
    if (communicates && in_.targets(chosen.callee).empty()) {
      auto& steps = out_.blocks[block_.index].steps;
      const size_t first = steps.size();
      Environment changed = env;
      made = apply_model(*model, chosen, changed, range, i);
      for (size_t added = first; added < steps.size(); ++added) steps[added].guard = here;
    }
    if (made.valid()) given = values_.conditional(choice.guard, made, given.valid() ? given : opaque());
  }
  return given;
}

// `engine.step()` of an engine of which nothing but the name is known.
bool FunctionRun::goes_by_name(ValueId callee) const {
  return values_[callee].kind == ValueKind::Attribute && !values_.external_type_of(values_.child(callee, 0)).valid();
}

// Whether something is done with what a call gives, here: to hand it on to the caller says nothing of what it is.
bool FunctionRun::uses_result(const ir::Instruction& call) const {
  if (!call.target.valid()) return false;
  const auto is_result = [&](ir::ExprId e) {
    return e.valid() && f_.exprs[e].kind == ir::ExprKind::Name && f_.exprs[e].symbol == f_.exprs[call.target].symbol;
  };
  if (f_.exprs[call.target].kind != ir::ExprKind::Name ||
      !SymbolTable::is_unnamed(ir_.text(f_.exprs[call.target].symbol)))
    return true;
  const auto holds_it = [&](std::span<const ir::ExprId> parts) { return std::ranges::any_of(parts, is_result); };
  for (uint32_t e = 0; e < f_.exprs.size(); ++e)
    if (holds_it(ir::children(f_, ir::ExprId{e}))) return true;
  return std::ranges::any_of(f_.blocks, [&](const ir::Block& block) {
    const ir::Terminator& end = block.terminator;
    if (end.kind != ir::TerminatorKind::Return && is_result(end.value)) return true;
    return std::ranges::any_of(block.instructions, [&](const ir::Instruction& i) {
      return is_result(i.value) ||
             std::ranges::any_of(ir::arguments(f_, i), [&](const ir::Argument& a) { return is_result(a.value); });
    });
  });
}

// Whether a body of the project plainly gives the default group, or this rank or the number of ranks in it, where a
// getter of that name gives those along some axes elsewhere: `get_data_parallel_group()` where there are no other
// groups.
bool FunctionRun::tells_of_world(const Call& call, const Model& model) {
  const bool is_getter = model.kind == ModelKind::GroupSource || model.kind == ModelKind::RankSource ||
                         model.kind == ModelKind::SizeSource;
  if (!is_getter || model.axes.empty() || values_[call.callee].kind != ValueKind::Function) return false;
  const std::vector<Target> targets = in_.targets(call.callee);
  if (targets.size() != 1) return false;
  const Summary* body = in_.summary(targets[0].function);
  if (!body || !body->result.valid()) return false;
  const Value& given = values_[body->result];
  switch (model.kind) {
    case ModelKind::GroupSource:
      return given.kind == ValueKind::None || (given.kind == ValueKind::Group && values_.axes(AxesId{given.a}).world);
    case ModelKind::RankSource: return given.kind == ValueKind::Coordinate && values_.axes(AxesId{given.a}).world;
    default: return given.kind == ValueKind::Size && values_.axes(AxesId{given.a}).world;
  }
}

// The result of a call with neither a model nor a body.
ValueId FunctionRun::apply_unknown(const Call& call) {
  const Value callee = values_[call.callee];
  // functools.partial is a call that waits.
  if (callee.kind == ValueKind::External && !call.positional.empty() &&
      in_.roles().play(index_.names().text(Symbol{callee.a}), Role::KeepsCall))
    return in_.partial_value(call);
  const auto at_tensor = [this, part = part_++] { return in_.intern_site({key_, block_, instruction_, part}); };
  if (const ValueId tensor = make_tensor(values_, index_, in_.roles(), call, at_tensor); tensor.valid()) return tensor;
  if (const ValueId share = share_given_by(in_, call); share.valid()) return share;
  if (callee.kind == ValueKind::External) {
    const std::string_view last = last_part(index_.names().text(Symbol{callee.a}));
    // A parameter is the tensor it is made of.
    if (!call.positional.empty() && values_.external_type_of(call.positional[0]).valid() &&
        in_.roles().play(index_.names().text(Symbol{callee.a}), Role::KeepsType))
      return call.positional[0];
    if (const ValueId own = made_with_own_strategy(call); own.valid()) return own;
    if (!last.empty() && last[0] >= 'A' && last[0] <= 'Z')
      return opaque(ValueStore::type_of_external(Symbol{callee.a}));
    // A function whose model says which class its result has.
    if (const Model* gives = in_.model_of(call.callee); gives && gives->kind == ModelKind::Class)
      return opaque(type_made(*gives));
  }
  if (const ValueId made = computed_by_method(call); made.valid()) return made;
  // `x.to(device)`, `.item()`, `.strip()` of something that differs between ranks differs, when it is a number.
  if (callee.kind == ValueKind::Attribute) {
    const std::string_view name = index_.names().text(Symbol{callee.a});
    const ValueId base = values_.child(call.callee, 0);
    if (const ValueId view = in_.entries_viewed(call); view.valid()) return view;
    if (const ValueId entry = entry_looked_up(call, base, name); entry.valid()) return entry;
    if (is_keywords(base) && in_.roles().play(name, Role::TakesElement) && !call.positional.empty() &&
        values_[call.positional[0]].kind == ValueKind::Text)
      return in_.keyword_of(base, call.positional[0], call.positional.size() > 1 ? call.positional[1] : values_.none());
    if (call.positional.empty() && in_.roles().play(name, Role::ReturnsReceiver)) return base;
    const Value& of = values_[base];
    // `(now - start).total_seconds()`: what is asked of a time is this rank's own as the time is.
    if (of.local && local_source(values_, index_, base) == LocalSource::Clock) return base;
    const bool tests_numbers = of.local || values_.is_result_of(base, ValueStore::Trait::LooksForNoNumber);
    if (tests_numbers && call.positional.empty() &&
        is_builtin(name, {Builtin::Any, Builtin::All, Builtin::Sum, Builtin::Max}))
      return base;
    if (is_environment(base) && in_.roles().play(name, Role::LooksUpEntry) && !call.positional.empty())
      if (const ValueId number = number_in_environment(call.positional[0]); number.valid()) return number;
    // `FSDP(net).to(device)` is still what it was, and so is `Encoder(options).to(device)`.
    if ((values_.external_type_of(base).valid() || of.kind == ValueKind::Instance) &&
        in_.roles().play(name, Role::ReturnsModule))
      return base;
    if (keeps_ranks(in_.roles(), name) && !values_.diverges(base) && !of.of_batch && of.kind != ValueKind::External &&
        !values_.class_of(base).valid() && (!values_.external_type_of(base).valid() || is_output_of_wrapped(base)))
      return moved_or_cast(values_, index_, in_.roles(), call, base);
  }
  return made_of_arguments(call);
}

// `Fabric(strategy=SingleDeviceStrategy(device))` does what the strategy does: it is no runtime of all ranks. Of a
// class that is chosen (`kind(device)` with one of two) nothing is known, and so it is for what is made with it.
// Invalid: no strategy is given, one by its name, or one of many ranks.
ValueId FunctionRun::made_with_own_strategy(const Call& call) {
  for (const auto& [keyword, strategy] : call.keywords) {
    if (index_.names().text(keyword) != "strategy" || values_[strategy].kind != ValueKind::Opaque) continue;
    const Symbol kind = values_.external_type_of(strategy);
    if (!kind.valid() || last_part(index_.names().text(kind)).starts_with("SingleDevice"))
      return opaque(ValueStore::type_of_external(index_.intern("SingleDeviceStrategy")));
  }
  return {};
}

// What a function of the project gives that does not communicate, as far as its body does not tell.
ValueId FunctionRun::made_by_project(const Call& call, ValueId result) {
  if (values_[result].kind == ValueKind::Opaque) return made_of_unknown(call, result);
  const ValueId own = made_with_wrapped(call, result);
  return own.valid() ? own : result;
}

ValueId FunctionRun::apply_project(const Call& call, Environment& env, const SourceRange& range, bool& known) {
  const ValueId made = constructed(call);
  known |= made.valid();
  const std::vector<Target> targets = in_.targets(call.callee);
  if (targets.empty()) {
    if (known) return made;
    const Value callee = values_[call.callee];
    if (callee.kind == ValueKind::Attribute || callee.kind == ValueKind::External || callee.kind == ValueKind::Global)
      ++maker_.unresolved_calls_;
    return {};
  }
  known = true;
  if (in_.is_context_manager(targets[0].function)) {
    // Nothing runs until it is entered.
    std::vector<ValueId> parts{values_.text(index_.intern("<context manager>")), call.callee};
    parts.insert(parts.end(), call.positional.begin(), call.positional.end());
    return values_.node(ValueKind::Partial, parts);
  }
  bool communicates = false;
  ValueId result;
  bool agree = true;
  const CompactVector<FieldState> held = held_by(env);
  for (const Target& target : targets) {
    const Summary* s = in_.summary(target.function);
    if (!s) {
      agree = false;
      continue;
    }
    communicates |= s->communicates;
    const SiteId site = in_.intern_site({key_, block_, instruction_, part_});
    Binding binding = in_.bind(target, call, in_.extend_path(0, site));
    binding.held = held;
    if (s->ran_wrapped.valid()) note_wrapped_run(in_.instantiate(s->ran_wrapped, binding));
    if (targets.size() == 1) take_effects(*s, binding, target.guard, made.valid(), env);
    ValueId v = s->result.valid() ? in_.instantiate(s->result, binding) : opaque();
    if (target.guard.valid()) v = values_.conditional(target.guard, v, values_.none());
    if (!result.valid())
      result = v;
    else
      agree &= result == v;
  }
  Step& step = add_step(range);
  step.call = call;
  step.call.held = held;
  // What a function that communicates was given is equal now, as far as we can follow.
  if (communicates && instruction_ < f_.blocks[block_].instructions.size())
    make_uniform(&f_.blocks[block_].instructions[instruction_], env);
  if (made.valid()) return made;
  if (!result.valid()) return opaque();
  if (agree) return communicates ? result : made_by_project(call, result);
  const ClassKey c = values_.class_of(result);
  return opaque(c.valid() ? ValueStore::type_of_class(c) : 0);
}

}  // namespace ranklint
