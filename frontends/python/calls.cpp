// Calls and what suspends: each is an instruction that names its result.
#include "frontends/python/lowering.h"

namespace ranklint::python {

using ir::ArgumentKind;
using ir::ExprId;
using ir::ExprKind;

ExprId fresh_unless(Scope& s, ExprId target) { return target.valid() ? target : s.ir.temporary(); }

static ExprId operand_of(Scope& s, NodeId n, std::string_view what) {
  const NodeId operand = s.tree().first(n);
  return operand.valid() ? lower_expression(s, operand) : unknown_expression(s, n, what);
}

static ir::CallArgument lower_positional(Scope& s, NodeId n) {
  const ExprId value = lower_element(s, n);
  const ir::Function& f = s.ir.function();
  if (f.exprs[value].kind != ExprKind::Starred) return {.value = value};
  return {.value = ir::children(f, value)[0], .kind = ArgumentKind::Star};
}

void lower_arguments(Scope& s, NodeId list, std::vector<ir::CallArgument>& out) {
  const SyntaxTree& tree = s.tree();
  for (const NodeId n : tree.children(list)) {
    if (is_token(tree[n].kind)) continue;
    const NodeId inner = unwrap(tree, n);
    switch (tree[inner].kind) {
      case Kind::KeywordArgument: {
        const NodeId name = tree.child(inner, Field::Name), value = tree.child(inner, Field::Value);
        if (!name.valid() || !value.valid()) break;
        if (tree.text(name).empty()) {
          out.push_back({.value = lower_expression(s, value)});
          break;
        }
        out.push_back({.value = lower_expression(s, value), .kind = ArgumentKind::Keyword, .keyword = tree.text(name)});
        break;
      }
      case Kind::ListSplat: out.push_back({.value = operand_of(s, inner, "`*`"), .kind = ArgumentKind::Star}); break;
      case Kind::DictionarySplat:
        out.push_back({.value = operand_of(s, inner, "`**`"), .kind = ArgumentKind::DoubleStar});
        break;
      default: out.push_back(lower_positional(s, n));
    }
  }
}

// In decorators, defaults and annotations: the call as a tree.
static ExprId call_tree(Scope& s, ExprId callee, const std::vector<ir::CallArgument>& arguments) {
  std::vector<ExprId> children{callee};
  for (const ir::CallArgument& argument : arguments) {
    switch (argument.kind) {
      case ArgumentKind::Positional: children.push_back(argument.value); break;
      case ArgumentKind::Keyword:
        children.push_back(s.ir.expr(ExprKind::Keyword, {argument.value}, argument.keyword));
        break;
      case ArgumentKind::Star: children.push_back(s.ir.starred(argument.value)); break;
      case ArgumentKind::DoubleStar: {
        const ExprId key = s.ir.expr(ExprKind::Unpack);
        children.push_back(s.ir.starred(s.ir.expr(ExprKind::Dict, {key, argument.value})));
        break;
      }
    }
  }
  return s.ir.expr(ExprKind::Call, children);
}

ExprId lower_call(Scope& s, NodeId n, ExprId callee, ExprId target) {
  std::vector<ir::CallArgument> arguments;
  const NodeId list = s.tree().child(n, Field::Arguments);
  if (list.valid() && s.node(list).kind == Kind::GeneratorExpression)
    arguments.push_back({.value = lower_generator(s, list)});
  else if (list.valid())
    lower_arguments(s, list, arguments);
  if (s.as_tree) return call_tree(s, callee, arguments);
  return s.ir.call(callee, arguments, s.range(n), target);
}

ExprId lower_await(Scope& s, NodeId n, ExprId target) {
  if (s.as_tree) return unknown_expression(s, n, "await outside of a block");
  const ExprId value = operand_of(s, n, "await");
  target = fresh_unless(s, target);
  s.ir.add({.kind = ir::InstructionKind::Await, .target = target, .value = value, .range = s.range(n)});
  return target;
}

ExprId lower_yield(Scope& s, NodeId n, ExprId target) {
  if (s.as_tree) return unknown_expression(s, n, "yield outside of a block");
  s.ir.function().is_generator = true;
  const bool from = s.tree().child(n, Kind::From).valid();
  const NodeId operand = s.tree().first(n);
  const ExprId value = operand.valid() ? lower_expression(s, operand) : s.ir.none();
  target = fresh_unless(s, target);
  s.ir.add({.kind = from ? ir::InstructionKind::YieldFrom : ir::InstructionKind::Yield,
            .target = target,
            .value = value,
            .range = s.range(n)});
  return target;
}

}  // namespace ranklint::python
