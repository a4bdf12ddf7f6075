// Expressions that are trees of others.
//
// Chains (`a.b[c].d()`, `a + b + c`) nest to the left, as deep as they are long. They are walked with a loop, and a
// long one is cut by storing what it has come to in a temporary, so that no tree of the IR gets deep.
#include <algorithm>

#include "frontends/python/lowering.h"

namespace ranklint::python {

using ir::ExprId;
using ir::ExprKind;

NodeId unwrap(const SyntaxTree& tree, NodeId n) {
  while (tree[n].kind == Kind::ParenthesizedExpression || tree[n].kind == Kind::Type) {
    const NodeId inner = tree.first(n);
    if (!inner.valid()) break;
    n = inner;
  }
  return n;
}

bool is_place_or_literal(const Scope& s, ExprId e) {
  switch (s.file.module.functions[s.ir.id()].exprs[e].kind) {
    case ExprKind::Name:
    case ExprKind::Integer:
    case ExprKind::Float:
    case ExprKind::String:
    case ExprKind::True:
    case ExprKind::False:
    case ExprKind::None: return true;
    default: return false;
  }
}

ExprId spill(Scope& s, ExprId value, SourceRange range) {
  const ExprId target = s.ir.temporary();
  s.ir.assign(target, value, range);
  return target;
}

ExprId spill_unless_simple(Scope& s, ExprId value, SourceRange range) {
  return s.as_tree || is_place_or_literal(s, value) ? value : spill(s, value, range);
}

ExprId lower_tree(Scope& s, NodeId n) {
  const bool before = std::exchange(s.as_tree, true);
  const ExprId tree = lower_expression(s, n);
  s.as_tree = before;
  return tree;
}

ExprId lower_symbol(Scope& s, NodeId n) {
  if (s.node(n).missing || s.node(n).begin == s.node(n).end) return unknown_expression(s, n, "missing name");
  const std::string name = clean_text(s.tree().text(n));
  for (size_t i = s.renames.size(); i > 0; --i)
    if (s.renames[i - 1].first == name) return s.ir.name(s.renames[i - 1].second);
  return s.ir.name(name);
}

ir::Operator operator_of(Kind token) {
  using O = ir::Operator;
  switch (token) {
    case Kind::Plus:
    case Kind::PlusEqual: return O::Add;
    case Kind::Minus:
    case Kind::MinusEqual: return O::Subtract;
    case Kind::Star:
    case Kind::StarEqual: return O::Multiply;
    case Kind::Slash:
    case Kind::SlashEqual: return O::Divide;
    case Kind::SlashSlash:
    case Kind::SlashSlashEqual: return O::FloorDivide;
    case Kind::Percent:
    case Kind::PercentEqual: return O::Modulo;
    case Kind::StarStar:
    case Kind::StarStarEqual: return O::Power;
    case Kind::At:
    case Kind::AtEqual: return O::MatrixMultiply;
    case Kind::ShiftLeft:
    case Kind::ShiftLeftEqual: return O::ShiftLeft;
    case Kind::ShiftRight:
    case Kind::ShiftRightEqual: return O::ShiftRight;
    case Kind::Ampersand:
    case Kind::AmpersandEqual: return O::BitAnd;
    case Kind::Bar:
    case Kind::BarEqual: return O::BitOr;
    case Kind::Caret:
    case Kind::CaretEqual: return O::BitXor;
    case Kind::EqualEqual: return O::Equal;
    case Kind::BangEqual:
    case Kind::LessGreater: return O::NotEqual;
    case Kind::Less: return O::Less;
    case Kind::LessEqual: return O::LessEqual;
    case Kind::Greater: return O::Greater;
    case Kind::GreaterEqual: return O::GreaterEqual;
    case Kind::In: return O::In;
    case Kind::NotIn: return O::NotIn;
    case Kind::Is: return O::Is;
    case Kind::IsNot: return O::IsNot;
    default: return O::None;
  }
}

ExprId lower_tuple(Scope& s, const std::vector<NodeId>& items) {
  std::vector<ExprId> exprs;
  for (const NodeId item : items) exprs.push_back(lower_element(s, item));
  return s.ir.sequence(ExprKind::Tuple, exprs);
}

ExprId lower_sequence(Scope& s, NodeId n, ExprKind kind) {
  std::vector<ExprId> exprs;
  for (const NodeId item : s.tree().children(n))
    if (!is_token(s.node(item).kind)) exprs.push_back(lower_element(s, item));
  return s.ir.sequence(kind, exprs);
}

static ExprId lower_dictionary(Scope& s, NodeId n) {
  std::vector<ExprId> entries;
  for (const NodeId item : s.tree().children(n)) {
    if (s.node(item).kind == Kind::DictionarySplat) {
      entries.push_back(s.ir.expr(ExprKind::Unpack));
      const NodeId operand = s.tree().first(item);
      entries.push_back(operand.valid() ? lower_expression(s, operand) : unknown_expression(s, item, "`**`"));
    } else if (s.node(item).kind == Kind::Pair) {
      const NodeId key = s.tree().child(item, Field::Key), value = s.tree().child(item, Field::Value);
      entries.push_back(key.valid() ? lower_expression(s, key) : unknown_expression(s, item, "missing key"));
      entries.push_back(value.valid() ? lower_expression(s, value) : unknown_expression(s, item, "missing value"));
    }
  }
  return s.ir.sequence(ExprKind::Dict, entries);
}

static ExprId lower_slice(Scope& s, NodeId n) {
  ExprId parts[3];
  size_t part = 0;
  for (const NodeId item : s.tree().children(n)) {
    if (s.node(item).kind == Kind::Colon)
      ++part;
    else if (part < 3 && !is_token(s.node(item).kind))
      parts[part] = lower_expression(s, item);
  }
  return s.ir.slice(parts[0], parts[1], parts[2]);
}

static ExprId lower_starred(Scope& s, NodeId n) {
  const NodeId operand = s.tree().first(n);
  return operand.valid() ? s.ir.starred(lower_expression(s, operand)) : unknown_expression(s, n, "`*`");
}

static ExprId lower_unary(Scope& s, NodeId n) {
  const NodeId operand = s.tree().child(n, Field::Argument);
  if (!operand.valid()) return unknown_expression(s, n, "operator without operand");
  ir::Operator op = ir::Operator::Not;
  if (const NodeId token = s.tree().child(n, Field::Operator); token.valid()) {
    const Kind kind = s.node(token).kind;
    op = kind == Kind::Minus ? ir::Operator::Negate : kind == Kind::Plus ? ir::Operator::Plus : ir::Operator::Invert;
  }
  return s.ir.unary(op, lower_expression(s, operand));
}

static ExprId lower_named(Scope& s, NodeId n) {
  const NodeId name = s.tree().child(n, Field::Name), value = s.tree().child(n, Field::Value);
  if (!name.valid() || !value.valid()) return unknown_expression(s, n, "`:=`");
  if (s.as_tree) return lower_expression(s, value);
  // The name lives outside of the comprehensions around it, so it is never one of their variables.
  const ExprId target = s.ir.name(clean_text(s.tree().text(name)));
  if (ir::Function& f = s.ir.function(); f.kind == ir::FunctionKind::Comprehension) {
    CompactVector<Symbol>& outer = f.parent.valid() ? f.nonlocals : f.globals;
    if (const Symbol symbol = f.exprs[target].symbol; std::ranges::find(outer, symbol) == outer.end())
      outer.push_back(symbol);
  }
  lower_into(s, target, value, s.range(n));
  return target;
}

// What a link of a chain stands on: `a` of `a.b`, `a[b]`, `a(b)`, `a + b`.
static NodeId chain_base(const SyntaxTree& tree, NodeId n) {
  switch (tree[n].kind) {
    case Kind::Attribute: return tree.child(n, Field::Object);
    case Kind::Subscript: return tree.child(n, Field::Value);
    case Kind::Call: return tree.child(n, Field::Function);
    case Kind::BinaryOperator: return tree.child(n, Field::Left);
    default: return {};
  }
}

static bool is_splat(const SyntaxTree& tree, NodeId n) {
  return tree[n].kind == Kind::ListSplat && tree.first(n).valid();
}

static ExprId lower_subscripts(Scope& s, NodeId n) {
  const std::vector<NodeId> items = s.tree().named(n, Field::Subscript);
  if (items.size() != 1) return lower_tuple(s, items);
  const ExprId index = lower_element(s, items[0]);
  return s.ir.function().exprs[index].kind == ExprKind::Starred ? s.ir.sequence(ExprKind::Tuple, {{index}}) : index;
}

static ExprId lower_link(Scope& s, NodeId n, ExprId base) {
  const SyntaxTree& tree = s.tree();
  switch (tree[n].kind) {
    case Kind::Attribute: {
      const NodeId name = tree.child(n, Field::Attribute);
      if (!name.valid() || tree[name].missing) return unknown_expression(s, n, "missing attribute");
      return s.ir.attribute(base, clean_text(tree.text(name)));
    }
    case Kind::Subscript: return s.ir.subscript(base, lower_subscripts(s, n));
    case Kind::Call: return lower_call(s, n, base);
    default: {
      const NodeId op = tree.child(n, Field::Operator), right = tree.child(n, Field::Right);
      if (!op.valid() || !right.valid()) return unknown_expression(s, n, "operator without operand");
      return s.ir.binary(operator_of(tree[op].kind), base, lower_expression(s, right));
    }
  }
}

static ExprId lower_chain(Scope& s, NodeId n) {
  constexpr size_t kLongest = 32;
  std::vector<NodeId> links;
  NodeId base = n;
  for (NodeId next = chain_base(s.tree(), base); next.valid(); next = chain_base(s.tree(), base)) {
    links.push_back(base);
    base = next;
  }
  if (links.empty()) return unknown_expression(s, n, "incomplete expression");
  // The grammar takes the star of `*f(x)` for a part of the chain's base.
  const bool starred = is_splat(s.tree(), base);
  ExprId value = lower_expression(s, starred ? s.tree().first(base) : base);
  size_t length = 0;
  for (size_t i = links.size(); i > 0; --i) {
    value = lower_link(s, links[i - 1], value);
    if (++length % kLongest == 0 && i > 1) value = spill_unless_simple(s, value, s.range(links[i - 1]));
  }
  return starred ? s.ir.starred(value) : value;
}

bool is_call(const Scope& s, NodeId n) {
  const SyntaxTree& tree = s.tree();
  if (tree[n].kind != Kind::Call) return false;
  NodeId base = n;
  for (NodeId next = chain_base(tree, n); next.valid(); next = chain_base(tree, base)) base = next;
  return base != n && !is_splat(tree, base);
}

static ExprId lower_generic_type(Scope& s, NodeId n) {
  const std::vector<NodeId> parts = s.tree().named(n);
  if (parts.size() != 2) return unknown_expression(s, n, "type");
  const ExprId base = lower_expression(s, parts[0]);
  const std::vector<NodeId> arguments = s.tree().named(parts[1]);
  const ExprId index = arguments.size() == 1 ? lower_expression(s, arguments[0]) : lower_tuple(s, arguments);
  return s.ir.subscript(base, index);
}

static ExprId lower_union_type(Scope& s, NodeId n) {
  const std::vector<NodeId> sides = s.tree().named(n);
  if (sides.size() != 2) return unknown_expression(s, n, "type");
  const ExprId left = lower_expression(s, sides[0]);
  return s.ir.binary(ir::Operator::BitOr, left, lower_expression(s, sides[1]));
}

static ExprId lower_member_type(Scope& s, NodeId n) {
  const std::vector<NodeId> parts = s.tree().named(n);
  if (parts.size() != 2) return unknown_expression(s, n, "type");
  return s.ir.attribute(lower_expression(s, parts[0]), clean_text(s.tree().text(parts[1])));
}

static ExprId lower_first(Scope& s, NodeId n) {
  const NodeId inner = s.tree().first(n);
  return inner.valid() ? lower_expression(s, inner) : unknown_expression(s, n, "expression");
}

ExprId lower_element(Scope& s, NodeId n) {
  const Nesting nesting(s);
  if (nesting.too_deep()) return unknown_expression(s, n, "deeply nested expression");
  n = unwrap(s.tree(), n);
  switch (s.node(n).kind) {
    case Kind::Identifier: return lower_symbol(s, n);
    case Kind::String:
    case Kind::ConcatenatedString: return lower_string(s, n);
    case Kind::Integer:
    case Kind::Float: return lower_number(s, n);
    case Kind::True: return s.ir.boolean(true);
    case Kind::False: return s.ir.boolean(false);
    case Kind::None: return s.ir.none();
    case Kind::Ellipsis: return s.ir.expr(ExprKind::Ellipsis);
    case Kind::Attribute:
    case Kind::Subscript:
    case Kind::Call:
    case Kind::BinaryOperator: return lower_chain(s, n);
    case Kind::UnaryOperator:
    case Kind::NotOperator: return lower_unary(s, n);
    case Kind::BooleanOperator: return lower_boolean(s, n);
    case Kind::ComparisonOperator: return lower_comparison(s, n);
    case Kind::ConditionalExpression: return lower_conditional(s, n);
    case Kind::NamedExpression: return lower_named(s, n);
    case Kind::Lambda: return lower_lambda(s, n);
    case Kind::Await: return lower_await(s, n);
    case Kind::Yield: return lower_yield(s, n);
    case Kind::Tuple:
    case Kind::ExpressionList:
    case Kind::TuplePattern:
    case Kind::PatternList: return lower_sequence(s, n, ExprKind::Tuple);
    case Kind::List:
    case Kind::ListPattern: return lower_sequence(s, n, ExprKind::List);
    case Kind::Set: return lower_sequence(s, n, ExprKind::Set);
    case Kind::Dictionary: return lower_dictionary(s, n);
    case Kind::Slice: return lower_slice(s, n);
    case Kind::ListSplat:
    case Kind::ListSplatPattern:
    case Kind::SplatType: return lower_starred(s, n);
    case Kind::ListComprehension:
    case Kind::SetComprehension:
    case Kind::DictionaryComprehension: return s.as_tree ? lower_generator(s, n) : lower_comprehension(s, n);
    case Kind::GeneratorExpression: return lower_generator(s, n);
    case Kind::AsPattern:  // the `as` is for the statement around it
    case Kind::ConstrainedType: return lower_first(s, n);
    case Kind::GenericType: return lower_generic_type(s, n);
    case Kind::UnionType: return lower_union_type(s, n);
    case Kind::MemberType: return lower_member_type(s, n);
    case Kind::Error: return s.ir.unknown("syntax error");
    default: return unknown_expression(s, n, "expression");
  }
}

ExprId lower_expression(Scope& s, NodeId n) {
  const ExprId value = lower_element(s, n);
  const ir::Function& f = s.ir.function();
  // A star where none may stand is a mistake that Python reports.
  return f.exprs[value].kind == ExprKind::Starred ? ir::children(f, value)[0] : value;
}

}  // namespace ranklint::python
