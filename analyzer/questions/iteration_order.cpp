#include "analyzer/questions/iteration_order.h"

#include <algorithm>

#include "analyzer/program/handed.h"
#include "analyzer/questions/callee.h"
#include "analyzer/resolve/builtins.h"

namespace ranklint {
namespace {

using Kind = IterationOrder::Kind;

constexpr int kDeepestOrigin = 12;
// Assignments of one name to another meet in many ways; a search that needs more looks than this has no answer.
constexpr int kMostLooks = 500;

// Joins what several assignments say: one set among arguments and empty lists makes a set, anything else does not.
IterationOrder join(const std::vector<IterationOrder>& all) {
  IterationOrder out{.kind = Kind::Bottom};
  for (const IterationOrder& o : all) {
    if (o.kind == Kind::Ordered) return {};
    if (o.kind == Kind::Unordered ? out.kind != Kind::Unordered : out.kind == Kind::Bottom) out = o;
  }
  return out;
}

}  // namespace

bool names_an_integer(const NamePriors& priors, std::string_view name) {
  while (name.starts_with('%')) name.remove_prefix(1);
  return priors.suggest(name, NameMeaning::Integer);
}

IterationOrder IterationOrders::unordered(const FunctionCode& code, IterationOrder::Source source, std::string name,
                                          SourceRange range) const {
  return {Kind::Unordered, source, std::move(name), code.key, range, -1};
}

IterationOrder IterationOrders::of(const FunctionCode& code, ir::ExprId e, ProgramPoint at) {
  budget_ = kMostLooks;
  const IterationOrder out = look(code, e, at);
  return budget_ < 0 ? IterationOrder{} : out;
}

IterationOrder IterationOrders::look(const FunctionCode& code, ir::ExprId e, ProgramPoint at) {
  if (!e.valid() || depth_ > kDeepestOrigin || --budget_ < 0) return {};
  ++depth_;
  IterationOrder out;
  const ir::Expr& expr = code.ir.exprs[e];
  const auto children = ir::children(code.ir, e);
  switch (expr.kind) {
    case ir::ExprKind::Set:
      if (children.empty())
        out.kind = Kind::Bottom;
      else if (!holds_integers(code, e, at))
        out = unordered(code, IterationOrder::Source::Set, "set", {});
      break;
    case ir::ExprKind::Dict:
      if (children.empty()) out.kind = Kind::Bottom;
      break;
    case ir::ExprKind::List:
    case ir::ExprKind::Tuple:
      if (children.empty())
        out.kind = Kind::Bottom;
      else if (children.size() == 1 && code.ir.exprs[children[0]].kind == ir::ExprKind::Starred)
        out = look(code, ir::children(code.ir, children[0])[0], at);
      break;
    case ir::ExprKind::None: out.kind = Kind::Bottom; break;
    case ir::ExprKind::Name: out = of_name(code, expr.symbol, at); break;
    case ir::ExprKind::Attribute: out = of_attribute(code, e); break;
    case ir::ExprKind::Binary: out = of_binary(code, e, at); break;
    case ir::ExprKind::Conditional: out = join({look(code, children[1], at), look(code, children[2], at)}); break;
    case ir::ExprKind::Subscript:
      if (code.ir.exprs[children[1]].kind == ir::ExprKind::Slice) out = look(code, children[0], at);
      break;
    default: break;
  }
  --depth_;
  return out;
}

IterationOrder IterationOrders::of_name(const FunctionCode& code, Symbol name, ProgramPoint at) {
  const Reaching reaching = code.reaching(name, at);
  if (reaching.entry && reaching.definitions.empty() && code.parameter(name) < 0) return of_global(code, name);
  if (sorted_in_place(code, std::string(code.text.text(name)))) return {};
  std::vector<IterationOrder> found;
  if (reaching.entry) {
    if (const int parameter = code.parameter(name); parameter >= 0) found.push_back(of_parameter(code, parameter));
  }
  for (const Definition& d : reaching.definitions) {
    if (!d.direct || !d.instruction) return {};
    found.push_back(of_instruction(code, *d.instruction, d.place));
  }
  return join(found);
}

IterationOrder IterationOrders::of_parameter(const FunctionCode& code, int parameter) {
  const ir::Parameter& p = code.ir.parameters[static_cast<size_t>(parameter)];
  if (p.kind == ir::ParameterKind::Star || p.kind == ir::ParameterKind::DoubleStar) return {};
  if (const IterationOrder o = annotated(code, p.annotation); o.kind == Kind::Unordered) return o;
  return {.kind = Kind::Parameter, .parameter = parameter};
}

IterationOrder IterationOrders::annotated(const FunctionCode& code, ir::ExprId annotation) {
  if (!annotation.valid()) return {};
  const bool subscripted = code.ir.exprs[annotation].kind == ir::ExprKind::Subscript;
  const ir::ExprId head = subscripted ? ir::children(code.ir, annotation)[0] : annotation;
  if (!in_.roles().play(index_.dotted(code.module, code.ir, head), Role::SetType)) return {};
  if (subscripted && is_builtin(code.name(ir::children(code.ir, annotation)[1]), Builtin::Int)) return {};
  return unordered(code, IterationOrder::Source::Set, "set", {});
}

// A module's variable: what the module's own code gives it, if it always gives it a set.
IterationOrder IterationOrders::of_global(const FunctionCode& code, Symbol name) {
  const Summary* module = in_.summary(index_.key(code.module, ir::FunctionId{0}));
  if (!module || module->function == code.key) return {};
  const FunctionCode top(index_, *module);
  std::vector<IterationOrder> found;
  for (uint32_t b = 0; b < top.ir.blocks.size(); ++b) {
    const ir::Block& block = top.ir.blocks[ir::BlockId{b}];
    for (uint32_t i = 0; i < block.instructions.size(); ++i)
      if (top.defines(block.instructions[i], name)) {
        if (top.name(block.instructions[i].target).empty()) return {};  // one name of a pattern
        found.push_back(of_instruction(top, block.instructions[i], {ir::BlockId{b}, i}));
      }
  }
  return join(found);
}

// `self.name`: every assignment to it in the class and its bases.
IterationOrder IterationOrders::of_attribute(const FunctionCode& code, ir::ExprId e) {
  const ir::ExprId base = ir::children(code.ir, e)[0];
  if (code.ir.exprs[base].kind != ir::ExprKind::Name) return {};
  const ClassKey owner = index_.class_of_self(code.key, code.ir.exprs[base].symbol);
  if (!owner.valid()) return {};
  if (sorted_in_place(code, index_.dotted(code.module, code.ir, e))) return {};
  const Symbol name = index_.name(code.module, code.ir.exprs[e].symbol);
  std::vector<IterationOrder> found;
  for (ClassKey c : index_.linearization(owner)) {
    const auto sites = index_.classes()[c].attributes.find(name);
    if (sites == index_.classes()[c].attributes.end()) continue;
    for (const AttributeSite& site : sites->second) {
      const Summary* setter = in_.summary(site.function);
      if (!setter) return {};
      const FunctionCode inside(index_, *setter);
      const ir::Instruction& i = inside.ir.blocks[site.block].instructions[site.instruction];
      if (inside.ir.exprs[i.target].kind != ir::ExprKind::Attribute) return {};
      found.push_back(of_instruction(inside, i, {site.block, site.instruction}));
      if (found.back().kind == Kind::Parameter) return {};
    }
  }
  return join(found);
}

static bool is_set_operation(ir::Operator op) {
  using ir::Operator;
  return op == Operator::BitAnd || op == Operator::BitOr || op == Operator::BitXor || op == Operator::Subtract;
}

// `entries.keys()`
bool IterationOrders::is_view(const FunctionCode& code, ir::ExprId e, ProgramPoint at) const {
  if (code.ir.exprs[e].kind != ir::ExprKind::Name) return false;
  const Reaching reaching = code.reaching(code.ir.exprs[e].symbol, at);
  return !reaching.entry && !reaching.definitions.empty() &&
         std::ranges::all_of(reaching.definitions, [&](const Definition& d) {
           return d.direct && d.instruction && d.instruction->kind == ir::InstructionKind::Call &&
                  code.ir.exprs[d.instruction->value].kind == ir::ExprKind::Attribute &&
                  in_.roles().play(foreign_name(index_, code.module, code.ir, d.instruction->value),
                                   Role::ViewsEntries);
         });
}

IterationOrder IterationOrders::of_binary(const FunctionCode& code, ir::ExprId e, ProgramPoint at) {
  const auto children = ir::children(code.ir, e);
  IterationOrder left = look(code, children[0], at);
  // Of two views Python makes a set, for any order of the dictionaries.
  if (is_set_operation(code.ir.exprs[e].op) && is_view(code, children[0], at))
    return unordered(code, IterationOrder::Source::Set, "set", {});
  switch (code.ir.exprs[e].op) {
    case ir::Operator::Add: {
      const ir::Expr& right = code.ir.exprs[children[1]];
      if (right.kind == ir::ExprKind::List && right.child_count == 1)
        return join({left, collected_in_loop(code, ir::children(code.ir, children[1])[0], at)});
      return left.kind == Kind::Unordered ? left : look(code, children[1], at);
    }
    case ir::Operator::Subtract: return left.kind == Kind::Unordered ? left : IterationOrder{};
    case ir::Operator::BitOr:
      // A dict comprehension, entry by entry.
      if (const ir::Expr& right = code.ir.exprs[children[1]]; right.kind == ir::ExprKind::Dict && right.child_count > 0)
        return join({left, collected_in_loop(code, children[1], at)});
      [[fallthrough]];
    case ir::Operator::BitAnd:
    case ir::Operator::BitXor: {
      if (left.kind == Kind::Unordered) return left;
      const IterationOrder right = look(code, children[1], at);
      return right.kind == Kind::Unordered ? right : IterationOrder{};
    }
    default: return {};
  }
}

// `%0 = %0 + [x]` in `for x in xs`, a list or dict comprehension: what is collected has the order of xs.
IterationOrder IterationOrders::collected_in_loop(const FunctionCode& code, ir::ExprId item, ProgramPoint at) {
  for (ir::BlockId header : code.graph().order()) {
    const ir::Terminator& end = code.ir.blocks[header].terminator;
    if (end.kind != ir::TerminatorKind::Iterate || !code.graph().is_loop_header(header)) continue;
    if (!code.graph().lies_in_loop(at.block, header)) continue;
    bool uses = false;
    code.mentions(end.target, [&](Symbol s) { return uses = uses || code.mentions(item, s), false; });
    if (!uses || names_an_integer(in_.priors(), code.name(end.target))) continue;
    return look(code, end.value, {header, static_cast<uint32_t>(code.ir.blocks[header].instructions.size())});
  }
  return {};
}

IterationOrder IterationOrders::of_instruction(const FunctionCode& code, const ir::Instruction& i, ProgramPoint at) {
  if (!under_way_.insert({code.key.index, at}).second) return {.kind = Kind::Bottom};
  IterationOrder out;
  if (i.kind == ir::InstructionKind::Assign)
    out = look(code, i.value, at);
  else if (i.kind == ir::InstructionKind::Call && depth_ <= kDeepestOrigin) {
    ++depth_;
    out = of_call(code, i, at);
    --depth_;
  }
  under_way_.erase({code.key.index, at});
  return out;
}

IterationOrder IterationOrders::of_call(const FunctionCode& code, const ir::Instruction& i, ProgramPoint at) {
  const auto arguments = ir::arguments(code.ir, i);
  const ir::Expr& callee = code.ir.exprs[i.value];
  const std::string name = foreign_name(index_, code.module, code.ir, i.value);
  const Roles& roles = in_.roles();
  if (roles.play(name, Role::MakesSet)) {
    if (!arguments.empty() && holds_integers(code, arguments[0].value, at)) return {};
    return unordered(code, IterationOrder::Source::Set, "set", i.range);
  }
  if (const RoleEntry* lists = roles.find(name, Role::ListsDirectory)) {
    const bool is_pattern = lists->name.starts_with("*.");  // `folder.iterdir()`, for a folder of any name
    return unordered(code, IterationOrder::Source::Listing, is_pattern ? lists->name.substr(2) : name, i.range);
  }
  if (const RoleEntry* keeps = roles.find(name, Role::KeepsOrder))
    if (const ir::ExprId of = given_for(code, i, *keeps); of.valid()) return look(code, of, at);
  if (callee.kind == ir::ExprKind::Attribute) {
    const ir::ExprId object = ir::children(code.ir, i.value)[0];
    if (roles.play(name, Role::ViewsEntries)) return look(code, object, at);
    if (roles.play(name, Role::CombinesSets))
      if (const IterationOrder base = look(code, object, at); base.kind == Kind::Unordered) return base;
  }
  return given_by(code, i, at);
}

// What a function of the project returns, or yields one by one.
IterationOrder IterationOrders::given_by(const FunctionCode& code, const ir::Instruction& call, ProgramPoint at) {
  const FunctionKey callee = named_callee(index_, code.key, call).function;
  const Summary* s = callee.valid() ? in_.summary(callee) : nullptr;
  if (!s) return {};
  const FunctionCode inside(index_, *s);
  if (inside.ir.is_generator) return yielded(inside);
  std::vector<IterationOrder> found;
  for (ir::BlockId b : inside.graph().order()) {
    const ir::Block& block = inside.ir.blocks[b];
    if (block.terminator.kind != ir::TerminatorKind::Return) continue;
    found.push_back(look(inside, block.terminator.value, {b, static_cast<uint32_t>(block.instructions.size())}));
  }
  IterationOrder out = join(found);
  if (out.kind != Kind::Parameter) return out;
  for (const HandedArgument& a : handed_arguments(index_, code.key, call))
    if (static_cast<int>(a.parameter) == out.parameter) return look(code, a.value, at);
  return {};
}

// `for key in set(keys): yield key`: the rounds have the order of the set.
IterationOrder IterationOrders::yielded(const FunctionCode& code) {
  for (ir::BlockId header : code.graph().order()) {
    const ir::Block& block = code.ir.blocks[header];
    if (block.terminator.kind != ir::TerminatorKind::Iterate || !code.graph().is_loop_header(header)) continue;
    if (names_an_integer(in_.priors(), code.name(block.terminator.target))) continue;
    const bool yields = std::ranges::any_of(code.graph().loop_blocks(header), [&](ir::BlockId b) {
      return std::ranges::any_of(code.ir.blocks[b].instructions,
                                 [](const ir::Instruction& i) { return i.kind == ir::InstructionKind::Yield; });
    });
    if (!yields) continue;
    const IterationOrder origin =
        look(code, block.terminator.value, {header, static_cast<uint32_t>(block.instructions.size())});
    if (origin.kind == Kind::Unordered) return origin;
  }
  return {};
}

// Whether the elements are integers as far as the text says: literals, a range, a name like `ranks`.
bool IterationOrders::holds_integers(const FunctionCode& code, ir::ExprId e, ProgramPoint at) {
  if (--budget_ < 0) return false;
  const ir::Expr& expr = code.ir.exprs[e];
  auto each = [&](auto test) {
    const auto children = ir::children(code.ir, e);
    return !children.empty() && std::all_of(children.begin(), children.end(), test);
  };
  switch (expr.kind) {
    case ir::ExprKind::Set:
    case ir::ExprKind::List:
    case ir::ExprKind::Tuple:
      return each([&](ir::ExprId child) {
        const ir::ExprKind kind = code.ir.exprs[child].kind;
        return kind == ir::ExprKind::Integer || kind == ir::ExprKind::Binary || kind == ir::ExprKind::Unary ||
               (kind == ir::ExprKind::Name && names_an_integer(in_.priors(), code.name(child)));
      });
    case ir::ExprKind::Attribute: return names_an_integer(in_.priors(), code.text.text(expr.symbol));
    case ir::ExprKind::Name: {
      if (names_an_integer(in_.priors(), code.name(e))) return true;
      const Reaching reaching = code.reaching(expr.symbol, at);
      if (reaching.entry || reaching.definitions.empty()) return false;
      return std::all_of(reaching.definitions.begin(), reaching.definitions.end(), [&](const Definition& d) {
        if (!d.direct || !d.instruction) return false;
        if (d.instruction->kind == ir::InstructionKind::Call)
          return is_builtin(code.name(d.instruction->value), Builtin::Range) ||
                 names_an_integer(in_.priors(), code.name(d.instruction->value));
        if (d.instruction->kind != ir::InstructionKind::Assign) return false;
        const ir::ExprId value = d.instruction->value;
        const ir::ExprKind kind = code.ir.exprs[value].kind;
        if (kind == ir::ExprKind::Set || kind == ir::ExprKind::List)
          return code.ir.exprs[value].child_count == 0 || holds_integers(code, value, d.place);
        // What a comprehension adds in each round.
        if (kind == ir::ExprKind::Binary) return holds_integers(code, ir::children(code.ir, value)[1], d.place);
        return false;
      });
    }
    default: return false;
  }
}

bool IterationOrders::sorted_in_place(const FunctionCode& code, const std::string& dotted) {
  for (uint32_t b = 0; b < code.ir.blocks.size(); ++b)
    for (const ir::Instruction& i : code.ir.blocks[ir::BlockId{b}].instructions)
      if (i.kind == ir::InstructionKind::Call && index_.dotted(code.module, code.ir, i.value) == dotted + ".sort")
        return true;
  return false;
}

}  // namespace ranklint
