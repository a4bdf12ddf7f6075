// What each instruction and expression does to the environment.
#include <algorithm>
#include <cstdlib>

#include "analyzer/base/stack_room.h"
#include "analyzer/interp/function_run.h"
#include "analyzer/summary/entries.h"
#include "analyzer/summary/spans.h"
#include "analyzer/variance/known.h"
#include "analyzer/variance/reals.h"
#include "analyzer/variance/terms.h"

namespace ranklint {

// The type of a loader that goes by its name.
static constexpr std::string_view kLoaderType = "DataLoader";

void FunctionRun::run_instruction(const ir::Instruction& i, uint32_t, Environment& env) {
  switch (i.kind) {
    case ir::InstructionKind::Assign: assign(i.target, value_assigned(i, env), env); break;
    case ir::InstructionKind::Call: run_call(i, env); break;
    case ir::InstructionKind::Await: {
      const ValueId v = evaluate(i.value, env);
      if (i.target.valid()) assign(i.target, v, env);
      break;
    }
    case ir::InstructionKind::Yield:
    case ir::InstructionKind::YieldFrom:
      if (i.value.valid()) evaluate(i.value, env);
      if (in_.is_context_manager(key_)) add_step(i.range).yields = true;
      if (i.target.valid()) assign(i.target, opaque(), env);
      break;
    case ir::InstructionKind::EnterWith: enter_with(i, env); break;
    case ir::InstructionKind::ExitWith: exit_with(i, env); break;
    case ir::InstructionKind::Import:
      if (i.target.valid()) assign(i.target, import_value(i), env);
      break;
    case ir::InstructionKind::Catch:
      if (i.target.valid()) assign(i.target, opaque(), env);
      break;
    case ir::InstructionKind::Assert:
      if (i.value.valid()) out_.blocks[block_.index].asserted.emplace_back(instruction_, evaluate(i.value, env));
      break;
    case ir::InstructionKind::Unknown:
      if (i.value.valid()) evaluate(i.value, env);
      if (i.target.valid()) assign(i.target, opaque(), env);
      break;
    case ir::InstructionKind::Delete: forget_deleted(i.target, env); break;
  }
}

ValueId FunctionRun::import_value(const ir::Instruction& i) {
  std::string_view dotted = ir_.text(i.symbol);
  if (!i.name.valid() && !i.binds_leaf) dotted = dotted.substr(0, dotted.find('.'));
  const ValueId v =
      in_.entity_value(index_.import(module_, i.level, dotted, i.name.valid() ? ir_.text(i.name) : std::string_view()));
  return v.valid() ? v : opaque();
}

void FunctionRun::run_terminator(ir::BlockId block, Environment& env) {
  const ir::Terminator& end = f_.blocks[block].terminator;
  BlockSteps& out = out_.blocks[block.index];
  switch (end.kind) {
    case ir::TerminatorKind::Branch: {
      const ValueId asked = asked_of_gathered(end.value),
                    v = asked.valid() ? asked : truth_asked(in_.truthiness(evaluate(end.value, env)));
      const ValueStore::Truth truth = values_.truth(v);
      out.condition = truth == ValueStore::Truth::Unknown ? v : values_.boolean(truth == ValueStore::Truth::Yes);
      break;
    }
    case ir::TerminatorKind::Iterate: {
      const ValueId iterable = evaluate(end.value, env);
      const SiteId site = here();
      out.condition = another_round(block, iterable);
      if (end.target.valid()) assign(end.target, element_of(end, iterable, site), env);
      break;
    }
    case ir::TerminatorKind::Except: out.condition = opaque(); break;
    case ir::TerminatorKind::Return: out.result = end.value.valid() ? evaluate(end.value, env) : values_.none(); break;
    case ir::TerminatorKind::Raise:
      if (end.value.valid()) evaluate(end.value, env);
      break;
    case ir::TerminatorKind::Jump:
    case ir::TerminatorKind::Unreachable: break;
  }
}

// What a loop goes over, as far as the number of rounds is asked.
ValueId FunctionRun::rounds_of(ValueId iterable) {
  const Value& value = values_[iterable];
  if (!is_call_of(values_, index_, iterable, Builtin::Range) || value.child_count != 2) return iterable;
  const ValueId from = values_.child(iterable, 0), to = values_.child(iterable, 1);
  const Symbol range{value.a};
  // range(len(list(x))) goes round as often as x.
  const auto is_call = [&](ValueId v, std::string_view name) {
    return function_of(values_, index_, v) == name && values_[v].child_count == 1;
  };
  int64_t first = 0;
  if (values_.integer_of(from, first) && first == 0 && is_call(to, "len") && is_call(values_.child(to, 0), "list"))
    return values_.child(values_.child(to, 0), 0);
  const ValueId span = span_of(values_, from, to, index_.intern(name_of(Derived::Span)));
  return span.valid() ? values_.node(ValueKind::Pure, {{values_.integer(0), span}}, range.index) : iterable;
}

ValueId FunctionRun::evaluate_name(Symbol name, Environment& env) {
  if (ValueId v = env.get(Environment::key(name)); v.valid()) return v;
  if (f_.kind != ir::FunctionKind::Module && f_.kind != ir::FunctionKind::ClassBody && is_local(name))
    return values_.leaf(ValueKind::Global, module_.index, name.index);  // read before any assignment that is known
  const auto& free = in_.free_names(key_);
  if (std::binary_search(free.begin(), free.end(), name)) {
    const ValueId v = values_.leaf(ValueKind::Free, key_.index, name.index, 0, in_.captured_type(key_, name));
    if (values_[v].type) return v;
    return in_.believed(v, index_.names().text(name));
  }
  if (ValueId v = in_.entity_value(index_.lookup(module_, name)); v.valid()) return v;
  // A constant of a library that is a group: MPI_COMM_WORLD. In one of this rank alone no rank waits for another.
  if (ir_.has(ir::Convention::OneNamespace) && in_.roles().play(index_.names().text(name), Role::GroupOfSelf))
    return values_.group(AxisSet{});
  if (ir_.has(ir::Convention::OneNamespace))
    if (const Model* model = in_.models_.find(index_.names().text(name));
        model && model->kind == ModelKind::GroupSource && !model->axes.empty() && !model->result.present())
      return values_.group(in_.axes_of(model->axes));
  return values_.leaf(ValueKind::External, name.index);  // a builtin
}

ValueId FunctionRun::function_reference(ir::FunctionId id, Environment& env) {
  const FunctionKey key = index_.key(module_, id);
  std::vector<ValueId> captures;
  for (Symbol name : in_.free_names(key)) {
    ValueId v = env.get(Environment::key(name));
    if (!v.valid()) v = evaluate_name(name, env);
    captures.push_back(v);
  }
  return in_.function_value(key, std::move(captures));
}

ValueId FunctionRun::read_attribute(ValueId base, Symbol name, Environment& env) {
  if (ValueId v = env.get(Environment::key(base, name)); v.valid()) return v;
  // A property that the project defines runs its body here.
  if (const ClassKey c = values_.class_of(base); c.valid())
    if (const FunctionKey method = index_.find_method(c, name); method.valid() && in_.is_property(method)) {
      const ValueId callee = values_.node(ValueKind::Bound, {{base}}, method.index);
      if (!in_.model_of(callee)) {
        const SourceRange range = instruction_ < f_.blocks[block_].instructions.size()
                                      ? f_.blocks[block_].instructions[instruction_].range
                                      : f_.blocks[block_].terminator.range;
        Step& step = add_step(range);
        step.call.callee = callee;
        step.call.implicit = true;
        step.call.held = held_by(env);
        if (const ValueId implied = implied_property(method, base, step.call.held); implied.valid()) return implied;
      }
    }
  const ValueId v = in_.get_attribute(base, name);
  return v.valid() ? v : values_.attribute(base, name);
}

// What a property gives of an object of which more is known here than its class says. Invalid: nothing more is.
ValueId FunctionRun::implied_property(FunctionKey method, ValueId object, const CompactVector<FieldState>& held) {
  const Summary* getter = held.empty() ? nullptr : in_.summary(method);
  if (!getter || !getter->result.valid()) return {};
  const Target target{.function = method, .receiver = object, .captures = {}, .guard = {}};
  Binding binding = in_.bind(target, {}, 0);
  binding.held = held;
  return in_.instantiate(getter->result, binding);
}

ValueId FunctionRun::evaluate_display(ir::ExprId id, Environment& env) {
  std::vector<ValueId> elements;
  const std::span<const ir::ExprId> written = ir::children(f_, id);
  for (ir::ExprId child : written) {
    const ValueId element = evaluate(child, env);
    const bool is_starred = f_.exprs[child].kind == ir::ExprKind::Starred;
    if (is_starred && values_[element].kind != ValueKind::Tuple)
      return written.size() == 1 && is_call_of(values_, index_, element, Builtin::Range)
                 ? values_.node(ValueKind::Pure, {{element}}, index_.intern(name_of(Builtin::List)).index)
                 : opaque();
    if (is_starred)
      elements.insert(elements.end(), values_.children(element).begin(), values_.children(element).end());
    else
      elements.push_back(element);
  }
  return values_.node(ValueKind::Tuple, elements);
}

ValueId FunctionRun::evaluate_binary(ir::ExprId id, Environment& env) {
  const ir::Operator op = f_.exprs[id].op;
  const std::span<const ir::ExprId> sides = ir::children(f_, id);
  const ValueId left = evaluate(sides[0], env);
  // Whether something is in a set of constants is decided as in a tuple of them.
  const bool asks = ir::is_membership(op);
  const ValueId right =
      asks && f_.exprs[sides[1]].kind == ir::ExprKind::Set ? evaluate_display(sides[1], env) : evaluate(sides[1], env);
  if (asks && is_text(left) && is_keywords(right)) {
    const ValueId has = in_.has_keyword(right, left);
    return op == ir::Operator::In ? has : values_.negate(has);
  }
  if (asks && is_environment(right) && is_set_in_jobs(left) && !makes_job_without(op))
    return values_.boolean(op == ir::Operator::In);
  if (const ValueId missing = asked_for_batch(op, left, right); missing.valid()) return missing;
  const ValueId joined = op == ir::Operator::Add ? lists_joined(values_, left, right) : ValueId{};
  return joined.valid() ? joined : values_.binary(op, left, right);
}

ValueId FunctionRun::evaluate(ir::ExprId id, Environment& env) {
  require_stack_room();
  const ir::Expr& e = f_.exprs[id];
  const auto children = ir::children(f_, id);
  auto all = [&] {
    std::vector<ValueId> list;
    for (ir::ExprId child : children) list.push_back(evaluate(child, env));
    return list;
  };
  switch (e.kind) {
    case ir::ExprKind::Name: return evaluate_name(index_.name(module_, e.symbol), env);
    case ir::ExprKind::Attribute:
      return read_attribute(evaluate(children[0], env), index_.name(module_, e.symbol), env);
    case ir::ExprKind::Subscript: {
      const ValueId base = evaluate(children[0], env);
      const ValueId key = evaluate(children[1], env);
      // os.environ["RANK"]
      if (is_environment(base))
        if (const ValueId number = number_in_environment(key); number.valid()) return number;
      if (is_text(key) && is_keywords(base)) return in_.keyword_of(base, key, opaque());
      if (Entries entries(values_, index_); is_text(key) && is_local(children[0])) {
        if (entries.has_entries_over(base)) return entries.look_up(base, key);
        const ValueId entry = entries.known_on_each_side(base) ? entries.get(base, key) : ValueId{};
        if (entry.valid()) return entry;
      }
      const ValueId part = values_.subscript(base, key);
      // A slice of a mesh is a mesh.
      const Symbol type = is_text(key) ? values_.external_type_of(base) : Symbol{};
      if (type.valid() && in_.roles().play(index_.names().text(type), Role::MeshClass))
        return values_.with_type(part, ValueStore::type_of_external(type));
      return part;
    }
    case ir::ExprKind::Slice: {
      return values_.node(ValueKind::Pure, all(), index_.intern("slice").index);
    }
    case ir::ExprKind::Integer:
      return values_.integer(std::strtoll(std::string(ir_.text(e.symbol)).c_str(), nullptr, 10));
    case ir::ExprKind::Float: {
      const std::optional<double> number = read_real(ir_.text(e.symbol));
      return number ? values_.real(*number) : opaque();
    }
    case ir::ExprKind::String: return values_.text(index_.name(module_, e.symbol));
    case ir::ExprKind::True: return values_.boolean(true);
    case ir::ExprKind::False: return values_.boolean(false);
    case ir::ExprKind::None: return values_.none();
    case ir::ExprKind::Ellipsis: return values_.leaf(ValueKind::External, index_.intern("...").index);
    case ir::ExprKind::Unary: {
      const ValueId of = evaluate(children[0], env);
      return values_.unary(e.op, e.op == ir::Operator::Not ? truth_asked(of) : of);
    }
    case ir::ExprKind::Binary: return evaluate_binary(id, env);
    case ir::ExprKind::And:
    case ir::ExprKind::Or: {
      std::vector<ValueId> operands = all();
      // Of `x or y` with an `x` that is surely true it is `x`, also as a value.
      for (; operands.size() > 1 && values_.truth(operands[0]) != ValueStore::Truth::Unknown;
           operands.erase(operands.begin()))
        if ((values_.truth(operands[0]) == ValueStore::Truth::Yes) == (e.kind == ir::ExprKind::Or)) return operands[0];
      if (operands.size() == 1) return operands[0];
      // `x or y` as a value is a choice; as a condition it is a disjunction. Where an operand is an object or a
      // group the value matters, else the condition does.
      if (operands.size() == 2 &&
          (values_.class_of(operands[0]).valid() || values_.class_of(operands[1]).valid() ||
           values_[operands[1]].kind == ValueKind::Group || values_[operands[0]].kind == ValueKind::Group))
        return e.kind == ir::ExprKind::Or ? values_.conditional(operands[0], operands[0], operands[1])
                                          : values_.conditional(operands[0], operands[1], operands[0]);
      return values_.conjunction(e.kind == ir::ExprKind::And, operands);
    }
    case ir::ExprKind::Conditional: {
      const std::vector<ValueId> v = all();
      return values_.conditional(v[0], v[1], v[2]);
    }
    case ir::ExprKind::Tuple:
    case ir::ExprKind::List: return evaluate_display(id, env);
    case ir::ExprKind::Set: return values_.node(ValueKind::Pure, all(), index_.intern("set").index);
    case ir::ExprKind::Dict: {
      std::vector<ValueId> v;
      for (size_t i = 0; i + 1 < children.size(); i += 2) {
        const ValueId key = evaluate(children[i], env), value = evaluate(children[i + 1], env);
        const bool spliced =
            f_.exprs[children[i]].kind == ir::ExprKind::Unpack && Entries(values_, index_).known(value);
        const std::vector<ValueId> parts =
            spliced ? std::vector<ValueId>(values_.children(value).begin(), values_.children(value).end())
                    : std::vector<ValueId>{key, value};
        v.insert(v.end(), parts.begin(), parts.end());
      }
      note_entries(v);
      return values_.node(ValueKind::Pure, v, index_.intern("dict").index);
    }
    case ir::ExprKind::Starred: return children.empty() ? opaque() : evaluate(children[0], env);
    case ir::ExprKind::Function: return function_reference(e.function(), env);
    case ir::ExprKind::Class: return values_.leaf(ValueKind::Class, index_.key(module_, e.class_()).index);
    case ir::ExprKind::Format: return filled_text(values_.text(index_.name(module_, e.symbol)), all());
    case ir::ExprKind::Call:
    case ir::ExprKind::Keyword:
    case ir::ExprKind::Unpack:
    case ir::ExprKind::Unknown: return opaque();
  }
  return opaque();
}

// A formatted text depends on the values that are put into it.
ValueId FunctionRun::filled_text(ValueId pattern, const std::vector<ValueId>& parts) {
  if (std::ranges::all_of(parts, [&](ValueId part) { return values_.is_constant(part); })) return opaque();
  std::vector<ValueId> children{pattern};
  children.insert(children.end(), parts.begin(), parts.end());
  return derive(values_, index_, Derived::FilledText, children);
}

void FunctionRun::store_attribute_value(ir::ExprId target, ValueId value) {
  const ir::Expr& e = f_.exprs[target];
  out_.name_values().of_attributes[{block_.index, instruction_, index_.name(module_, e.symbol)}] = value;
}

void FunctionRun::assign_entry(ir::ExprId target, ValueId value, Environment& env) {
  // An element changes; what was known of the whole no longer holds, but its divergence does not follow.
  const ValueId key = evaluate(ir::children(f_, target)[1], env);
  const ir::ExprId whole = ir::children(f_, target)[0];
  const ValueId before = evaluate(whole, env);
  note_store(before, key, value);
  forget_list(whole, opaque(), env);
  if (f_.exprs[whole].kind != ir::ExprKind::Name) return;
  const ValueId own = values_[value].of_batch && is_local(whole) ? values_.batch(here().index) : ValueId{};
  if (Entries entries(values_, index_); is_text(key) && is_local(whole)) {
    const ValueId entry = own.valid() ? own : values_.diverges(value) ? opaque() : value;
    const bool is_known = entries.known_on_each_side(before);
    if (is_known) return assign(whole, entries.with(before, key, entry), env);
    // Only this entry is this rank's own, and what the others are is not known.
    const bool is_plain = !values_.diverges(before) && !values_[before].of_batch && !values_[before].type;
    if (entries.has_entries_over(before) || (own.valid() && is_plain))
      return assign(whole, entries.put_over(before, key, entry), env);
  }
  // `sums[key] += loss.detach()`: what it holds is this rank's own from here on.
  if (own.valid() && !values_.diverges(before)) {
    assign(whole, own, env);
    return;
  }
  give_up_entries(whole, env);
}

void FunctionRun::assign(ir::ExprId target, ValueId value, Environment& env) {
  const ir::Expr& e = f_.exprs[target];
  switch (e.kind) {
    case ir::ExprKind::Name: {
      const Symbol name = index_.name(module_, e.symbol);
      if (globals_.contains(name)) store_attribute_value(target, value);
      // A variable whose name says more than its value: `rank = args.rank`.
      if (values_.of_unknown_origin(value) && values_[value].type == 0 && values_[value].kind != ValueKind::Opaque &&
          values_[value].kind != ValueKind::Element)
        value = in_.believed(value, index_.names().text(name));
      const bool from_a_call = values_[value].kind == ValueKind::Opaque || values_[value].kind == ValueKind::Subscript;
      if (from_a_call && !values_[value].type && is_called_loader(index_.names().text(name)))
        value = values_.with_type(value, ValueStore::type_of_external(index_.intern(kLoaderType)));
      env.set(Environment::key(name), value);
      break;
    }
    case ir::ExprKind::Attribute: {
      const ValueId base = evaluate(ir::children(f_, target)[0], env);
      store_attribute_value(target, value);
      touched_.insert(Environment::key(base, index_.name(module_, e.symbol)));
      env.set(Environment::key(base, index_.name(module_, e.symbol)), value);
      break;
    }
    case ir::ExprKind::Tuple:
    case ir::ExprKind::List: {
      uint32_t position = 0;
      bool starred = false;
      for (ir::ExprId part : ir::children(f_, target)) {
        starred |= f_.exprs[part].kind == ir::ExprKind::Starred;
        assign(part, starred ? opaque() : part_of(value, position), env);
        ++position;
      }
      break;
    }
    case ir::ExprKind::Starred:
      if (!ir::children(f_, target).empty()) assign(ir::children(f_, target)[0], value, env);
      break;
    case ir::ExprKind::Subscript: assign_entry(target, value, env); break;
    default: break;
  }
}

}  // namespace ranklint
