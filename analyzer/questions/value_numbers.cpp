#include "analyzer/questions/value_numbers.h"

#include "analyzer/questions/callee.h"

namespace ranklint {
namespace {

constexpr int kMostAssignments = 64;  // that are followed from one to the next

void add_places(const Reaching& reaching, std::vector<uint32_t>& parts) {
  for (const Definition& d : reaching.definitions)
    parts.insert(parts.end(), {d.place.block.index, d.place.instruction});
}

}  // namespace

ValueNumber ValueNumbers::number(Key key) {
  const auto [known, is_new] = numbers_.try_emplace(std::move(key), keys_.next_id());
  if (is_new) keys_.push_back(known->first);
  return known->second;
}

ValueNumber ValueNumbers::of_parameter(FunctionKey f, size_t parameter) {
  return number({.kind = Kind::Parameter, .scope = f.index, .a = static_cast<uint32_t>(parameter)});
}

ValueNumber ValueNumbers::of(const FunctionCode& code, ir::ExprId e, ProgramPoint at) {
  const std::tuple asked(code.key, e, at);
  if (const auto known = known_.find(asked); known != known_.end()) return known->second;
  return known_[asked] = numbered(code, e, at);
}

ValueNumber ValueNumbers::numbered(const FunctionCode& code, ir::ExprId e, ProgramPoint at) {
  const ir::Expr& expr = code.ir.exprs[e];
  switch (expr.kind) {
    case ir::ExprKind::Name: return of_name(code, e, at);
    case ir::ExprKind::Attribute:
      return of_attribute(code, of(code, ir::children(code.ir, e)[0], at), in_.index().name(code.module, expr.symbol),
                          at);
    case ir::ExprKind::Integer:
    case ir::ExprKind::Float:
    case ir::ExprKind::String:
    case ir::ExprKind::True:
    case ir::ExprKind::False:
    case ir::ExprKind::None:
    case ir::ExprKind::Ellipsis:
      return number({.kind = Kind::Literal,
                     .expr = expr.kind,
                     .a = expr.symbol.valid() ? in_.index().name(code.module, expr.symbol).index : 0});
    case ir::ExprKind::Subscript:
    case ir::ExprKind::Slice:
    case ir::ExprKind::Unary:
    case ir::ExprKind::Binary:
    case ir::ExprKind::And:
    case ir::ExprKind::Or:
    case ir::ExprKind::Conditional:
    case ir::ExprKind::Tuple:
    case ir::ExprKind::List:
    case ir::ExprKind::Set:
    case ir::ExprKind::Dict:
    case ir::ExprKind::Format: return made_of(code, expr, ir::children(code.ir, e), at);
    default:
      return number(
          {.kind = Kind::Place, .scope = code.key.index, .a = e.index, .parts = {at.block.index, at.instruction}});
  }
}

ValueNumber ValueNumbers::made_of(const FunctionCode& code, const ir::Expr& e, std::span<const ir::ExprId> parts,
                                  ProgramPoint at) {
  Key key{.kind = Kind::Made, .expr = e.kind, .op = e.op};
  for (const ir::ExprId part : parts) key.parts.push_back(of(code, part, at).index);
  return number(std::move(key));
}

ValueNumber ValueNumbers::of_name(const FunctionCode& code, ir::ExprId e, ProgramPoint at) {
  const Symbol name = code.ir.exprs[e].symbol;
  const Reaching reaching = code.reaching(name, at);
  if (reaching.definitions.empty()) {
    if (const int p = code.parameter(name); p >= 0) return of_parameter(code.key, static_cast<size_t>(p));
    return of_free(code, e);
  }
  if (const std::optional<Definition> only = reaching.only(); only && assignments_ < kMostAssignments) {
    ++assignments_;
    const ir::Instruction& by = *only->instruction;
    ValueNumber given;
    if (by.kind == ir::InstructionKind::Assign) given = of(code, by.value, only->place);
    if (by.kind == ir::InstructionKind::Call) given = of_call(code, by, only->place);
    --assignments_;
    if (given.valid()) return given;
  }
  Key key{.kind = Kind::Reached, .scope = code.key.index, .a = name.index, .parts = {reaching.entry}};
  add_places(reaching, key.parts);
  return number(std::move(key));
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
    if (a.kind != ir::ArgumentKind::Positional) return {};
    key.parts.push_back(of(code, a.value, at).index);
  }
  return number(std::move(key));
}

ValueNumber ValueNumbers::of_attribute(const FunctionCode& code, ValueNumber object, Symbol name, ProgramPoint at) {
  Key key{.kind = Kind::Attribute, .a = name.index, .parts = {object.index}};
  if (const Symbol own = code.text.symbols.find(in_.index().names().text(name)); own.valid())
    add_places(code.reaching_attribute(own, at), key.parts);
  if (key.parts.size() > 1) key.scope = code.key.index;
  return number(std::move(key));
}

ValueNumber ValueNumbers::beginning(ValueNumber path) const {
  if (const Key& key = keys_[path]; key.kind == Kind::Made && key.expr == ir::ExprKind::Call)
    return key.parts.size() > 1 ? ValueNumber{key.parts[1]} : ValueNumber{};
  ValueNumber begin = path;
  while (keys_[begin].kind == Kind::Made && keys_[begin].expr == ir::ExprKind::Binary)
    begin = ValueNumber{keys_[begin].parts.front()};
  return begin == path ? ValueNumber{} : begin;
}

ValueNumber ValueNumbers::in_callee(const FunctionCode& caller, ProgramPoint call, ValueNumber n,
                                    const std::map<ValueNumber, ValueNumber>& given) {
  if (const auto handed = given.find(n); handed != given.end()) return handed->second;
  const Key key = keys_[n];
  switch (key.kind) {
    case Kind::Literal:
    case Kind::Library:
    case Kind::Global: return n;
    case Kind::Attribute: {
      // Not what the attribute was before the caller gave it something else.
      const ValueNumber object{key.parts.front()};
      const ValueNumber inside = in_callee(caller, call, object, given);
      if (!inside.valid() || of_attribute(caller, object, Symbol{key.a}, call) != n) return {};
      return number({.kind = Kind::Attribute, .a = key.a, .parts = {inside.index}});
    }
    case Kind::Made: {
      Key made{.kind = key.kind, .expr = key.expr, .op = key.op};
      for (const uint32_t part : key.parts) {
        const ValueNumber inside = in_callee(caller, call, ValueNumber{part}, given);
        if (!inside.valid()) return {};
        made.parts.push_back(inside.index);
      }
      return number(std::move(made));
    }
    case Kind::Parameter:
    case Kind::Around:
    case Kind::Reached:
    case Kind::Place: return {};
  }
  return {};
}

}  // namespace ranklint
