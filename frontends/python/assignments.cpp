#include "frontends/python/lowering.h"

namespace ranklint::python {

using ir::ExprId;
using ir::ExprKind;

static bool is_target_sequence(Kind kind) {
  switch (kind) {
    case Kind::TuplePattern:
    case Kind::PatternList:
    case Kind::Tuple:
    case Kind::ExpressionList:
    case Kind::ListPattern:
    case Kind::List: return true;
    default: return false;
  }
}

static ExprId lower_target_sequence(Scope& s, NodeId n) {
  const bool list = s.node(n).kind == Kind::ListPattern || s.node(n).kind == Kind::List;
  std::vector<ExprId> targets;
  for (const NodeId item : s.tree().named(n)) targets.push_back(lower_target(s, item));
  return s.ir.sequence(list ? ExprKind::List : ExprKind::Tuple, targets);
}

static bool is_target(ExprKind kind) {
  switch (kind) {
    case ExprKind::Name:
    case ExprKind::Attribute:
    case ExprKind::Subscript:
    case ExprKind::Tuple:
    case ExprKind::List:
    case ExprKind::Starred: return true;
    default: return false;
  }
}

ExprId lower_target(Scope& s, NodeId n) {
  const Nesting nesting(s);
  n = unwrap(s.tree(), n);
  if (nesting.too_deep()) return unknown_expression(s, n, "deeply nested target"), s.ir.temporary();
  const Kind kind = s.node(n).kind;
  ExprId target;
  if (kind == Kind::AsPatternTarget && s.tree().first(n).valid())
    target = lower_target(s, s.tree().first(n));
  else if (is_target_sequence(kind))
    target = lower_target_sequence(s, n);
  else if ((kind == Kind::ListSplatPattern || kind == Kind::ListSplat) && s.tree().first(n).valid())
    target = s.ir.starred(lower_target(s, s.tree().first(n)));
  else
    target = lower_expression(s, n);
  // Only broken code assigns to anything else.
  return is_target(s.ir.function().exprs[target].kind) ? target : s.ir.temporary();
}

void assign(Scope& s, NodeId target, ExprId value, SourceRange range) {
  const ExprId place = lower_target(s, target);
  s.ir.assign(place, value, range);
}

// The instruction that computes the value writes it to the target itself where there is one.
void lower_into(Scope& s, ExprId target, NodeId value, SourceRange range) {
  const NodeId inner = unwrap(s.tree(), value);
  if (is_call(s, inner)) {
    const ExprId callee = lower_expression(s, s.tree().child(inner, Field::Function));
    lower_call(s, inner, callee, target);
    return;
  }
  switch (s.node(inner).kind) {
    case Kind::Await: lower_await(s, inner, target); return;
    case Kind::Yield: lower_yield(s, inner, target); return;
    default: break;
  }
  const ExprId lowered = lower_expression(s, value);
  s.ir.assign(target, lowered, range);
}

static void annotate(Scope& s, NodeId target, NodeId type) {
  const Kind kind = s.node(unwrap(s.tree(), target)).kind;
  if (kind != Kind::Identifier && kind != Kind::Attribute) return;
  const ExprId place = lower_tree(s, target);
  const ExprKind lowered = s.ir.function().exprs[place].kind;
  if (lowered != ExprKind::Name && lowered != ExprKind::Attribute) return;
  const ExprId annotation = lower_tree(s, type);
  s.file.module.annotations.push_back({.function = s.ir.id(), .target = place, .annotation = annotation});
}

void lower_assignment(Scope& s, NodeId n) {
  const SyntaxTree& tree = s.tree();
  std::vector<NodeId> targets;
  NodeId value = n;
  while (value.valid() && tree[value].kind == Kind::Assignment) {
    const NodeId left = tree.child(value, Field::Left), type = tree.child(value, Field::Type);
    if (!left.valid()) return unknown_statement(s, n, "assignment");
    targets.push_back(left);
    if (type.valid()) annotate(s, left, type);
    value = tree.child(value, Field::Right);
  }
  if (!value.valid()) return;  // an annotation alone
  if (tree[value].kind == Kind::AugmentedAssignment) {
    lower_augmented_assignment(s, value);
    value = tree.child(value, Field::Left);
    if (!value.valid()) return;
  }
  if (targets.size() == 1 && !tree[targets[0]].emits) {
    const ExprId target = lower_target(s, targets[0]);
    return lower_into(s, target, value, s.range(n));
  }
  const ExprId lowered = spill_unless_simple(s, lower_expression(s, value), s.range(value));
  for (const NodeId target : targets) assign(s, target, lowered, s.range(n));
}

void lower_augmented_assignment(Scope& s, NodeId n) {
  const SyntaxTree& tree = s.tree();
  const NodeId left = tree.child(n, Field::Left), op = tree.child(n, Field::Operator);
  const NodeId right = tree.child(n, Field::Right);
  if (!left.valid() || !op.valid() || !right.valid()) return unknown_statement(s, n, "assignment");
  const ExprId target = lower_target(s, left);
  const ExprId operand = lower_expression(s, right);
  s.ir.assign(target, s.ir.binary(operator_of(tree[op].kind), target, operand), s.range(n));
}

static void delete_one(Scope& s, NodeId n, SourceRange range) {
  const Nesting nesting(s);
  n = unwrap(s.tree(), n);
  if (!nesting.too_deep() && is_target_sequence(s.node(n).kind)) {
    for (const NodeId item : s.tree().named(n)) delete_one(s, item, range);
    return;
  }
  s.ir.add({.kind = ir::InstructionKind::Delete, .target = lower_target(s, n), .range = range});
}

void lower_delete(Scope& s, NodeId n) {
  for (const NodeId target : s.tree().named(n)) delete_one(s, target, s.range(n));
}

}  // namespace ranklint::python
