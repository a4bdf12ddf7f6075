// `and`, `or`, chained comparisons, `a if c else b`, and the conditions of branches.
//
// Where no operand takes instructions they stay trees. Otherwise they are control flow: operands up to the next one
// that emits are joined in one tree, which decides by a branch whether the rest runs. As a value, the sides meet in
// one temporary; as a condition, they lead straight to the two targets.
#include <algorithm>

#include "frontends/python/lowering.h"

namespace ranklint::python {

using ir::ExprId;
using ir::ExprKind;

namespace {

bool emits(const Scope& s, NodeId n) { return s.node(n).emits && !s.as_tree; }

// The value of an And or Or whose operands come one after the other.
class ShortCircuit {
 public:
  ShortCircuit(Scope& scope, ExprKind kind) : s_(scope), kind_(kind) {}

  void add(ExprId operand, SourceRange range) {
    range_ = pending_.empty() ? range : span(range_, range);
    pending_.push_back(operand);
  }

  // What is lowered from here on runs only if the operands so far do not decide.
  void cut() {
    if (pending_.empty()) return;
    const ExprId value = store();
    Label rest{kind_ == ExprKind::And ? "and" : "or"};
    if (kind_ == ExprKind::And)
      branch(s_, value, rest, join_, range_);
    else
      branch(s_, value, join_, rest, range_);
    place(s_, rest);
    pending_.clear();
  }

  ExprId finish() {
    if (!result_.valid()) return s_.ir.sequence(kind_, pending_);
    store();
    place(s_, join_);
    return result_;
  }

 private:
  ExprId store() {
    const ExprId value = s_.ir.sequence(kind_, pending_);
    if (!result_.valid()) result_ = s_.ir.temporary();
    s_.ir.assign(result_, value, range_);
    return value;
  }

  Scope& s_;
  ExprKind kind_;
  ExprId result_;
  Label join_{"join"};
  std::vector<ExprId> pending_;
  SourceRange range_;
};

// The operands of `a and b and c`, whose syntax nests to the left.
std::vector<NodeId> operands_of(const SyntaxTree& tree, NodeId n, Kind op) {
  std::vector<NodeId> operands;
  while (tree[n].kind == Kind::BooleanOperator && tree.child(n, op).valid()) {
    const NodeId left = tree.child(n, Field::Left), right = tree.child(n, Field::Right);
    if (!left.valid() || !right.valid()) break;
    operands.push_back(right);
    n = unwrap(tree, left);
  }
  operands.push_back(n);
  std::reverse(operands.begin(), operands.end());
  return operands;
}

Kind boolean_token(const SyntaxTree& tree, NodeId n) { return tree.child(n, Kind::And).valid() ? Kind::And : Kind::Or; }

bool holds_comparison(const SyntaxTree& tree, NodeId n) {
  for (uint32_t i = n.index; i < n.index + tree[n].size; ++i)
    if (tree.nodes[i].kind == Kind::ComparisonOperator) return true;
  return false;
}

}  // namespace

ExprId lower_boolean(Scope& s, NodeId n) {
  const Kind op = boolean_token(s.tree(), n);
  const std::vector<NodeId> operands = operands_of(s.tree(), n, op);
  if (operands.size() < 2) return unknown_expression(s, n, "operator without operand");
  ShortCircuit value(s, op == Kind::And ? ExprKind::And : ExprKind::Or);
  for (const NodeId operand : operands) {
    if (emits(s, operand)) value.cut();
    value.add(lower_expression(s, operand), s.range(operand));
  }
  return value.finish();
}

ExprId lower_comparison(Scope& s, NodeId n) {
  std::vector<NodeId> operands, operators;
  for (const NodeId child : s.tree().children(n))
    (is_token(s.node(child).kind) ? operators : operands).push_back(child);
  if (operands.size() < 2 || operators.size() + 1 != operands.size())
    return unknown_expression(s, n, "operator without operand");
  ShortCircuit value(s, ExprKind::And);
  ExprId left = lower_expression(s, operands[0]);
  for (size_t i = 1; i < operands.size(); ++i) {
    if (i > 1 && emits(s, operands[i])) value.cut();
    // A middle operand is read twice; were it a chain itself, and so on, the tree would double with each level.
    ExprId right = lower_expression(s, operands[i]);
    if (i + 1 < operands.size() && holds_comparison(s.tree(), operands[i])) {
      if (s.as_tree)
        right = unknown_expression(s, operands[i], "chained comparison");
      else
        right = spill_unless_simple(s, right, s.range(operands[i]));
    }
    const SourceRange range = span(s.range(operands[i - 1]), s.range(operands[i]));
    value.add(s.ir.binary(operator_of(s.node(operators[i - 1]).kind), left, right), range);
    left = right;
  }
  return value.finish();
}

// Children: value if true, condition, value if false.
ExprId lower_conditional(Scope& s, NodeId n) {
  ExprId result;
  Label join{"join"};
  for (;;) {
    const std::vector<NodeId> parts = s.tree().named(n);
    if (parts.size() != 3) {
      const ExprId value = unknown_expression(s, n, "conditional expression");
      if (!result.valid()) return value;
      s.ir.assign(result, value, s.range(n));
      break;
    }
    if (!emits(s, n)) {
      const ExprId condition = lower_expression(s, parts[1]);
      const ExprId if_true = lower_expression(s, parts[0]);
      const ExprId value = s.ir.conditional(condition, if_true, lower_expression(s, parts[2]));
      if (!result.valid()) return value;
      s.ir.assign(result, value, s.range(n));
      break;
    }
    if (!result.valid()) result = s.ir.temporary();
    Label if_true{"then"}, if_false{"else"};
    lower_condition(s, parts[1], if_true, if_false);
    place(s, if_true);
    s.ir.assign(result, lower_expression(s, parts[0]), s.range(parts[0]));
    jump(s, join);
    place(s, if_false);
    n = unwrap(s.tree(), parts[2]);
    if (s.node(n).kind == Kind::ConditionalExpression) continue;
    s.ir.assign(result, lower_expression(s, n), s.range(n));
    break;
  }
  place(s, join);
  return result;
}

// `a and f(b) and c`: branch a ? and : false; %0 = f(b); branch %0 and c ? true : false.
static void lower_boolean_condition(Scope& s, NodeId n, Label& if_true, Label& if_false, bool is_loop) {
  const bool is_and = boolean_token(s.tree(), n) == Kind::And;
  const std::vector<NodeId> operands = operands_of(s.tree(), n, is_and ? Kind::And : Kind::Or);
  std::vector<ExprId> pending;
  SourceRange range;
  const auto decide = [&](Label& rest) {
    const ExprId value = s.ir.sequence(is_and ? ExprKind::And : ExprKind::Or, pending);
    branch(s, value, is_and ? rest : if_true, is_and ? if_false : rest, range, is_loop);
    pending.clear();
  };
  for (size_t i = 0; i < operands.size(); ++i) {
    const NodeId operand = operands[i];
    const bool last = i + 1 == operands.size();
    const bool nested = emits(s, operand) && (s.node(unwrap(s.tree(), operand)).kind == Kind::BooleanOperator ||
                                              s.node(unwrap(s.tree(), operand)).kind == Kind::NotOperator);
    if (emits(s, operand) && !pending.empty()) {
      Label rest{is_and ? "and" : "or"};
      decide(rest);
      place(s, rest);
    }
    if (nested) {
      Label rest{is_and ? "and" : "or"};
      Label& next = last ? (is_and ? if_true : if_false) : rest;
      if (is_and)
        lower_condition(s, operand, next, if_false, is_loop);
      else
        lower_condition(s, operand, if_true, next, is_loop);
      if (last) return;
      place(s, rest);
      continue;
    }
    range = pending.empty() ? s.range(operand) : span(range, s.range(operand));
    pending.push_back(lower_expression(s, operand));
  }
  decide(is_and ? if_true : if_false);
}

void lower_condition(Scope& s, NodeId n, Label& if_true, Label& if_false, bool is_loop) {
  const Nesting nesting(s);
  const NodeId inner = unwrap(s.tree(), n);
  const Kind kind = s.node(inner).kind;
  if (!nesting.too_deep() && emits(s, inner)) {
    if (kind == Kind::NotOperator)
      if (const NodeId operand = s.tree().child(inner, Field::Argument); operand.valid())
        return lower_condition(s, operand, if_false, if_true, is_loop);
    if (kind == Kind::BooleanOperator) return lower_boolean_condition(s, inner, if_true, if_false, is_loop);
  }
  const ExprId value = lower_expression(s, inner);
  branch(s, value, if_true, if_false, s.range(n), is_loop);
}

}  // namespace ranklint::python
