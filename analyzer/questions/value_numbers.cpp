#include "analyzer/questions/value_numbers.h"

#include "analyzer/base/stack_room.h"
#include "analyzer/questions/callee.h"

namespace ranklint {

constexpr int kMostAssignments = 64;  // that are followed from one to the next

ValueNumber ValueNumbers::number(Key key) {
  const auto [known, is_new] = numbers_.try_emplace(std::move(key), keys_.next_id());
  if (is_new) keys_.push_back(known->first);
  return known->second;
}

// What the function finds is the same wherever it is; what it assigns is its own.
ValueNumber ValueNumbers::number(Key key, const FunctionCode& code, const ValueVersion& version) {
  if (version.kind == ValueVersion::Kind::Entry) return number(std::move(key));
  key.scope = code.key.index;
  key.parts.insert(key.parts.end(), {static_cast<uint32_t>(version.kind), version.block.index, version.instruction});
  return number(std::move(key));
}

ValueVersion ValueNumbers::version(const FunctionCode& code, const Assignable& what, ProgramPoint at) {
  return versions_.try_emplace(code.key, code.ir, code.graph()).first->second.at(what, at.block, at.instruction);
}

ValueNumber ValueNumbers::of_parameter(FunctionKey f, size_t parameter) {
  return number({.kind = Kind::Parameter, .scope = f.index, .a = static_cast<uint32_t>(parameter)});
}

ValueNumber ValueNumbers::of(const FunctionCode& code, ir::ExprId e, ProgramPoint at) {
  const std::tuple asked(code.key, e, at);
  if (const auto known = known_.find(asked); known != known_.end()) return known->second;
  return known_[asked] = numbered(code, e, at);
}

ValueNumber ValueNumbers::at_place(const FunctionCode& code, ir::ExprId e, ProgramPoint at) {
  return number({.scope = code.key.index, .a = e.index, .parts = {at.block.index, at.instruction}});
}

ValueNumber ValueNumbers::numbered(const FunctionCode& code, ir::ExprId e, ProgramPoint at) {
  const ir::Expr& expr = code.ir.exprs[e];
  const auto child = [&](size_t i) { return of(code, ir::children(code.ir, e)[i], at); };
  switch (expr.kind) {
    case ir::ExprKind::Name: return of_variable(code, e, at);
    case ir::ExprKind::Attribute: return of_attribute(code, child(0), in_.index().name(code.module, expr.symbol), at);
    case ir::ExprKind::Subscript: return of_element(code, child(0), child(1), at);
    case ir::ExprKind::Integer:
    case ir::ExprKind::Float:
    case ir::ExprKind::String:
    case ir::ExprKind::True:
    case ir::ExprKind::False:
    case ir::ExprKind::None:
    case ir::ExprKind::Ellipsis:
    case ir::ExprKind::Slice:
    case ir::ExprKind::Unary:
    case ir::ExprKind::Binary:
    case ir::ExprKind::And:
    case ir::ExprKind::Or:
    case ir::ExprKind::Conditional:
    case ir::ExprKind::Starred:
    case ir::ExprKind::Tuple: return made_of(code, expr, at);
    case ir::ExprKind::Format: return expr.symbol.valid() ? made_of(code, expr, at) : at_place(code, e, at);
    case ir::ExprKind::List:  // each is a new one, which may be filled
    case ir::ExprKind::Set:
    case ir::ExprKind::Dict:
    case ir::ExprKind::Unpack:
    case ir::ExprKind::Function:
    case ir::ExprKind::Class:
    case ir::ExprKind::Call:
    case ir::ExprKind::Keyword:
    case ir::ExprKind::Unknown: return at_place(code, e, at);
  }
  return at_place(code, e, at);
}

ValueNumber ValueNumbers::made_of(const FunctionCode& code, const ir::Expr& e, ProgramPoint at) {
  Key key{.kind = Kind::Made, .expr = e.kind, .op = e.op};
  if (e.symbol.valid()) key.a = in_.index().name(code.module, e.symbol).index;
  for (const ir::ExprId part : ir::children(code.ir, e)) key.parts.push_back(of(code, part, at).index);
  if (e.child_count == 0) key.kind = Kind::Literal;
  return number(std::move(key));
}

ValueNumber ValueNumbers::of_variable(const FunctionCode& code, ir::ExprId e, ProgramPoint at) {
  const Symbol name = code.ir.exprs[e].symbol;
  const ValueVersion now = version(code, {.name = name}, at);
  if (now.kind == ValueVersion::Kind::Entry) {
    const int p = code.parameter(name);
    return p >= 0 ? of_parameter(code.key, static_cast<size_t>(p)) : of_free(code, e);
  }
  if (now.kind == ValueVersion::Kind::Assigned && assignments_ < kMostAssignments) {
    ++assignments_;
    const ValueNumber given = of_assigned(code, name, {now.block, now.instruction});
    --assignments_;
    if (given.valid()) return given;
  }
  return number({.kind = Kind::Variable, .a = name.index}, code, now);
}

// Invalid: what the instruction gives is not known to equal anything else.
ValueNumber ValueNumbers::of_assigned(const FunctionCode& code, Symbol name, ProgramPoint by) {
  const auto& instructions = code.ir.blocks[by.block].instructions;
  if (by.instruction == instructions.size()) return {};
  const ir::Instruction& i = instructions[by.instruction];
  bool direct = false;
  gives_value(code.ir, i.target, {.name = name}, direct);
  switch (i.kind) {
    case ir::InstructionKind::Assign: return direct ? of(code, i.value, by) : of_part(code, i, name, by);
    case ir::InstructionKind::Call: return direct ? of_call(code, i, by) : ValueNumber{};
    case ir::InstructionKind::Import: {
      const std::string_view leaf = i.name.valid() ? code.text.text(i.name) : std::string_view();
      const Entity named = in_.index().import(code.module, i.level, code.text.text(i.symbol), leaf);
      const bool is_whole = i.name.valid() || i.binds_leaf;
      return is_whole && named.kind == Entity::Kind::External ? number({.kind = Kind::Library, .a = named.name.index})
                                                              : ValueNumber{};
    }
    default: return {};
  }
}

// `b` of `a, b = x, y`.
ValueNumber ValueNumbers::of_part(const FunctionCode& code, const ir::Instruction& assign, Symbol name,
                                  ProgramPoint at) {
  const auto targets = ir::children(code.ir, assign.target), values = ir::children(code.ir, assign.value);
  if (code.ir.exprs[assign.value].kind != ir::ExprKind::Tuple || targets.size() != values.size()) return {};
  ValueNumber given;
  for (size_t k = 0; k < targets.size(); ++k) {
    const ir::Expr &target = code.ir.exprs[targets[k]], &value = code.ir.exprs[values[k]];
    if (target.kind == ir::ExprKind::Starred || value.kind == ir::ExprKind::Starred) return {};
    if (target.kind == ir::ExprKind::Name && target.symbol == name) given = of(code, values[k], at);
  }
  return given;
}

// Of a name that is bound around the function: in one that it lies in, by an import, or else in the module.
ValueNumber ValueNumbers::of_free(const FunctionCode& code, ir::ExprId e) {
  const ProjectIndex& index = in_.index();
  const Symbol name = code.ir.exprs[e].symbol;
  for (FunctionKey f = index.functions()[code.key].parent; f.valid(); f = index.functions()[f].parent)
    if (index.function(f).kind != ir::FunctionKind::Module &&
        bound_names(index, f).contains(index.name(code.module, name)))
      return number({.kind = Kind::Around, .scope = f.index, .a = name.index});
  if (const Entity named = index.resolve(code.module, code.ir, e); named.kind == Entity::Kind::External)
    return number({.kind = Kind::Library, .a = named.name.index});
  return number({.kind = Kind::Global, .scope = code.module.index, .a = name.index});
}

// Of a call that gives the same for the same; invalid: of any other.
ValueNumber ValueNumbers::of_call(const FunctionCode& code, const ir::Instruction& call, ProgramPoint at) {
  if (!plays(in_, code, call, Role::JoinsPaths)) return {};
  Key key{.kind = Kind::Made, .expr = ir::ExprKind::Call, .parts = {of(code, call.value, at).index}};
  for (const ir::Argument& a : ir::arguments(code.ir, call)) {
    if (a.kind != ir::ArgumentKind::Positional && a.kind != ir::ArgumentKind::Star) return {};
    key.parts.insert(key.parts.end(), {of(code, a.value, at).index, static_cast<uint32_t>(a.kind)});
  }
  return number(std::move(key));
}

ValueNumber ValueNumbers::of_attribute(const FunctionCode& code, ValueNumber object, Symbol name, ProgramPoint at) {
  const SymbolTable& names = in_.index().names();
  if (const Key& key = keys_[object]; key.kind == Kind::Library) {
    const std::string path = std::string(names.text(Symbol{key.a})) + "." + std::string(names.text(name));
    return number({.kind = Kind::Library, .a = in_.index().intern(path).index});
  }
  const Symbol own = code.text.symbols.find(names.text(name));
  return number({.kind = Kind::Attribute, .a = name.index, .parts = {object.index}}, code,
                own.valid() ? version(code, {ir::ExprKind::Attribute, own}, at) : ValueVersion{});
}

ValueNumber ValueNumbers::of_element(const FunctionCode& code, ValueNumber object, ValueNumber index, ProgramPoint at) {
  return number({.kind = Kind::Element, .parts = {object.index, index.index}}, code,
                version(code, {.kind = ir::ExprKind::Subscript}, at));
}

ValueNumber ValueNumbers::beginning(ValueNumber path) const {
  if (const Key& key = keys_[path]; key.kind == Kind::Made && key.expr == ir::ExprKind::Call)
    return key.parts.size() > 1 ? ValueNumber{key.parts[1]} : ValueNumber{};
  ValueNumber begin = path;
  while (keys_[begin].kind == Kind::Made && keys_[begin].expr == ir::ExprKind::Binary)
    begin = ValueNumber{keys_[begin].parts.front()};
  if (const Key& key = keys_[begin]; key.kind == Kind::Made && key.expr == ir::ExprKind::Format) {
    const bool begins_with_one = in_.index().names().text(Symbol{key.a}).starts_with("{}/");
    return begins_with_one ? ValueNumber{key.parts.front()} : ValueNumber{};
  }
  return begin == path ? ValueNumber{} : begin;
}

ValueNumber ValueNumbers::in_callee(const FunctionCode& caller, ProgramPoint call, ValueNumber n,
                                    std::map<ValueNumber, ValueNumber> given) {
  Handing to{caller, call, std::move(given)};
  return handed(to, n);
}

ValueNumber ValueNumbers::handed(Handing& to, ValueNumber n) {
  if (const auto known = to.known.find(n); known != to.known.end()) return known->second;
  require_stack_room();
  return to.known[n] = handed_made(to, Key(keys_[n]));
}

ValueNumber ValueNumbers::handed_made(Handing& to, const Key& key) {
  const auto inside = [&](size_t i) { return handed(to, ValueNumber{key.parts[i]}); };
  switch (key.kind) {
    case Kind::Literal:
    case Kind::Library: return number(key);
    // Not what it was before the caller gave it something else.
    case Kind::Global: {
      const bool is_callers = key.scope == to.caller.module.index;
      const ValueVersion now = is_callers ? version(to.caller, {.name = Symbol{key.a}}, to.call) : ValueVersion{};
      return now.kind == ValueVersion::Kind::Entry ? number(key) : ValueNumber{};
    }
    case Kind::Attribute: {
      const ValueNumber now = of_attribute(to.caller, ValueNumber{key.parts[0]}, Symbol{key.a}, to.call);
      const ValueNumber object = now == number(key) ? inside(0) : ValueNumber{};
      return object.valid() ? number({.kind = Kind::Attribute, .a = key.a, .parts = {object.index}}) : object;
    }
    case Kind::Element: {
      const ValueNumber now = of_element(to.caller, ValueNumber{key.parts[0]}, ValueNumber{key.parts[1]}, to.call);
      const ValueNumber object = now == number(key) ? inside(0) : ValueNumber{}, index = inside(1);
      return object.valid() && index.valid() ? number({.kind = Kind::Element, .parts = {object.index, index.index}})
                                             : ValueNumber{};
    }
    case Kind::Made: {
      Key made = key;
      for (size_t i = 0; i < key.parts.size(); ++i) {
        const bool is_kind = key.expr == ir::ExprKind::Call && i > 0 && i % 2 == 0;
        if (is_kind) continue;
        const ValueNumber part = inside(i);
        if (!part.valid()) return {};
        made.parts[i] = part.index;
      }
      return number(std::move(made));
    }
    case Kind::Parameter:
    case Kind::Around:
    case Kind::Variable:
    case Kind::Place: return {};
  }
  return {};
}

}  // namespace ranklint
