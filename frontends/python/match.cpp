// `match`: each case is a sequence of tests on parts of the subject, with a jump to the next case where one fails.
//
// Tests are written with what the IR has: `==` for values, `is` for None, True and False, a call of isinstance for a
// class, of len for a sequence, `in` for a mapping's key. The parts a pattern looks into are attributes and
// subscripts of the subject, so that data still flows from the subject to what a case binds.
#include "frontends/python/lowering.h"

namespace ranklint::python {

using ir::ExprId;
using ir::ExprKind;
using ir::Operator;

namespace {

// `next` is where the case goes when the pattern does not fit.
void lower_pattern(Scope& s, NodeId n, ExprId subject, Label& next);

void require(Scope& s, ExprId condition, Label& next, SourceRange range) {
  Label fits{"fits"};
  branch(s, condition, fits, next, range);
  place(s, fits);
}

void bind(Scope& s, NodeId identifier, ExprId value) {
  if (s.tree().text(identifier) == "_") return;
  s.ir.assign(lower_symbol(s, identifier), value, s.range(identifier));
}

// The literal or dotted name that `n` stands for, with the sign before it; invalid when it is another pattern.
ExprId value_of(Scope& s, NodeId n, bool negative) {
  const SyntaxTree& tree = s.tree();
  ExprId value;
  switch (tree[n].kind) {
    case Kind::DottedName:
      for (const NodeId part : tree.children(n)) {
        if (tree[part].kind != Kind::Identifier) continue;
        value = value.valid() ? s.ir.attribute(value, clean_text(tree.text(part))) : lower_symbol(s, part);
      }
      return value;
    case Kind::ComplexPattern: return s.ir.floating(clean_text(tree.text(n)));
    case Kind::String:
    case Kind::ConcatenatedString:
    case Kind::Integer:
    case Kind::Float:
    case Kind::True:
    case Kind::False:
    case Kind::None: value = lower_expression(s, n); return negative ? s.ir.unary(Operator::Negate, value) : value;
    default: return {};
  }
}

bool is_capture(const SyntaxTree& tree, NodeId n) {
  return tree[n].kind == Kind::DottedName && tree.named(n).size() == 1;
}

// `subject == value`, for a pattern that binds nothing; invalid for any other.
ExprId equality(Scope& s, NodeId n, ExprId subject, bool negative) {
  if (is_capture(s.tree(), n)) return {};
  const ExprId value = value_of(s, n, negative);
  if (!value.valid()) return {};
  const Kind kind = s.node(n).kind;
  const bool identity = kind == Kind::None || kind == Kind::True || kind == Kind::False;
  return s.ir.binary(identity ? Operator::Is : Operator::Equal, subject, value);
}

ExprId part(Scope& s, ExprId subject, size_t index) {
  return s.ir.subscript(subject, s.ir.integer(static_cast<int64_t>(index)));
}

ExprId part_from_end(Scope& s, ExprId subject, size_t distance) {
  return s.ir.subscript(subject, s.ir.unary(Operator::Negate, s.ir.integer(static_cast<int64_t>(distance))));
}

// The splat a case_pattern holds, if it does.
NodeId splat_of(const SyntaxTree& tree, NodeId item) {
  if (tree[item].kind == Kind::SplatPattern) return item;
  const NodeId inner = tree.first(item);
  return tree[item].kind == Kind::CasePattern && inner.valid() && tree[inner].kind == Kind::SplatPattern ? inner
                                                                                                         : NodeId{};
}

void bind_splat(Scope& s, NodeId splat, ExprId value) {
  if (const NodeId name = s.tree().child(splat, Kind::Identifier); name.valid()) bind(s, name, value);
}

void lower_sequence_pattern(Scope& s, NodeId n, const std::vector<NodeId>& items, ExprId subject, Label& next) {
  size_t splat_at = items.size();
  for (size_t i = 0; i < items.size(); ++i)
    if (splat_of(s.tree(), items[i]).valid()) splat_at = i;
  const bool open = splat_at < items.size();
  const size_t least = items.size() - (open ? 1 : 0);
  const ExprId length = s.ir.call(s.ir.name("len"), {{.value = subject}}, s.range(n));
  const ExprId wanted = s.ir.integer(static_cast<int64_t>(least));
  require(s, s.ir.binary(open ? Operator::GreaterEqual : Operator::Equal, length, wanted), next, s.range(n));
  for (size_t i = 0; i < items.size() && s.reachable(); ++i) {
    const size_t behind = items.size() - i;  // items from here to the end
    if (i < splat_at) {
      lower_pattern(s, items[i], part(s, subject, i), next);
    } else if (i > splat_at) {
      lower_pattern(s, items[i], part_from_end(s, subject, behind), next);
    } else {
      ExprId upper;
      if (behind > 1) upper = s.ir.unary(Operator::Negate, s.ir.integer(static_cast<int64_t>(behind - 1)));
      const ExprId rest = s.ir.slice(s.ir.integer(static_cast<int64_t>(i)), upper, {});
      bind_splat(s, splat_of(s.tree(), items[i]), s.ir.subscript(subject, rest));
    }
  }
}

void lower_mapping_pattern(Scope& s, NodeId n, ExprId subject, Label& next) {
  ExprId key;
  bool negative = false;
  for (const NodeId child : s.tree().children(n)) {
    const Node& node = s.node(child);
    if (!s.reachable()) return;
    if (is_token(node.kind)) {
      negative = node.kind == Kind::Minus;
    } else if (node.field == Field::Key) {
      key = value_of(s, child, negative);
      if (!key.valid()) key = unknown_expression(s, child, "key of a pattern");
      require(s, s.ir.binary(Operator::In, key, subject), next, s.range(child));
    } else if (node.field == Field::Value && key.valid()) {
      lower_pattern(s, child, s.ir.subscript(subject, key), next);
    } else if (node.kind == Kind::SplatPattern) {
      bind_splat(s, child, subject);
    }
  }
}

void lower_class_pattern(Scope& s, NodeId n, ExprId subject, Label& next) {
  const SyntaxTree& tree = s.tree();
  const NodeId name = tree.child(n, Kind::DottedName);
  if (!name.valid()) return;
  const ExprId type = value_of(s, name, false);
  const ExprId fits = s.ir.call(s.ir.name("isinstance"), {{.value = subject}, {.value = type}}, s.range(n));
  require(s, fits, next, s.range(n));
  size_t position = 0;
  for (const NodeId child : tree.children(n)) {
    if (tree[child].kind != Kind::CasePattern || !s.reachable()) continue;
    const NodeId inner = tree.first(child);
    if (inner.valid() && tree[inner].kind == Kind::KeywordPattern) {
      const NodeId attribute = tree.child(inner, Kind::Identifier);
      if (!attribute.valid()) continue;
      // `k=-1`: the sign stands before the last child.
      const std::vector<NodeId> parts = tree.named(inner);
      const ExprId value = s.ir.attribute(subject, clean_text(tree.text(attribute)));
      if (parts.size() < 2) continue;  // `k=_`
      const ExprId same = equality(s, parts[1], value, tree.child(inner, Kind::Minus).valid());
      if (same.valid())
        require(s, same, next, s.range(inner));
      else
        lower_pattern(s, parts[1], value, next);
    } else {
      lower_pattern(s, child, part(s, subject, position++), next);
    }
  }
}

// Literals alone make one test; anything else tries one alternative after the other.
void lower_union_pattern(Scope& s, NodeId n, ExprId subject, Label& next) {
  std::vector<ExprId> tests;
  bool negative = false, plain = true;
  for (const NodeId child : s.tree().children(n)) {
    if (is_token(s.node(child).kind)) {
      negative = s.node(child).kind == Kind::Minus;
      continue;
    }
    const ExprId test = equality(s, child, subject, std::exchange(negative, false));
    plain &= test.valid();
    if (test.valid()) tests.push_back(test);
  }
  if (plain && !tests.empty()) return require(s, s.ir.sequence(ExprKind::Or, tests), next, s.range(n));

  const std::vector<NodeId> alternatives = s.tree().named(n);
  Label fits{"fits"};
  for (size_t i = 0; i < alternatives.size() && s.reachable(); ++i) {
    const bool last = i + 1 == alternatives.size();
    Label other{"or"};
    lower_pattern(s, alternatives[i], subject, last ? next : other);
    jump(s, fits);
    if (!last) place(s, other);
  }
  place(s, fits);
}

void lower_as_pattern(Scope& s, NodeId n, ExprId subject, Label& next) {
  const std::vector<NodeId> parts = s.tree().named(n);
  if (parts.empty()) return;
  if (parts.size() > 1) lower_pattern(s, parts[0], subject, next);
  if (s.reachable() && s.node(parts.back()).kind == Kind::Identifier) bind(s, parts.back(), subject);
}

// `(p)` is p, `(p,)` a sequence of one.
bool is_group(const SyntaxTree& tree, NodeId n, const std::vector<NodeId>& items) {
  if (tree[n].kind != Kind::TuplePattern || items.size() != 1) return false;
  return tree.source.substr(tree[items[0]].end, tree[n].end - tree[items[0]].end).find(',') == std::string_view::npos;
}

void lower_pattern(Scope& s, NodeId n, ExprId subject, Label& next) {
  const SyntaxTree& tree = s.tree();
  const Nesting nesting(s);
  if (nesting.too_deep()) return require(s, unknown_expression(s, n, "deeply nested pattern"), next, s.range(n));
  bool negative = false;
  while (tree[n].kind == Kind::CasePattern) {
    negative |= tree.child(n, Kind::Minus).valid();
    const NodeId inner = tree.first(n);
    if (!inner.valid()) return;  // `_`
    n = inner;
  }
  if (is_capture(tree, n)) return bind(s, tree.first(n), subject);
  if (const ExprId test = equality(s, n, subject, negative); test.valid()) return require(s, test, next, s.range(n));
  switch (tree[n].kind) {
    case Kind::ListPattern:
    case Kind::TuplePattern: {
      const std::vector<NodeId> items = tree.named(n);
      if (is_group(tree, n, items)) return lower_pattern(s, items[0], subject, next);
      return lower_sequence_pattern(s, n, items, subject, next);
    }
    case Kind::DictPattern: return lower_mapping_pattern(s, n, subject, next);
    case Kind::ClassPattern: return lower_class_pattern(s, n, subject, next);
    case Kind::UnionPattern: return lower_union_pattern(s, n, subject, next);
    case Kind::AsPattern: return lower_as_pattern(s, n, subject, next);
    default: return require(s, unknown_expression(s, n, "pattern"), next, s.range(n));
  }
}

// The patterns of `case a, b:` and `case a,:` make a sequence.
void lower_case_patterns(Scope& s, NodeId clause, ExprId subject, Label& next) {
  const SyntaxTree& tree = s.tree();
  std::vector<NodeId> patterns;
  uint32_t end = 0;
  for (const NodeId child : tree.children(clause)) {
    if (tree[child].kind == Kind::CasePattern)
      patterns.push_back(child);
    else if (!patterns.empty() && !end)
      end = tree[child].begin;
  }
  if (patterns.empty()) return;
  const bool comma = end > tree[patterns.back()].end &&
                     tree.source.substr(tree[patterns.back()].end, end - tree[patterns.back()].end).substr(0, 1) == ",";
  if (patterns.size() == 1 && !comma) return lower_pattern(s, patterns[0], subject, next);
  lower_sequence_pattern(s, clause, patterns, subject, next);
}

void lower_case(Scope& s, NodeId clause, ExprId subject, Label& join) {
  const SyntaxTree& tree = s.tree();
  Label next{"case"};
  lower_case_patterns(s, clause, subject, next);
  if (const NodeId guard = tree.child(clause, Field::Guard); guard.valid() && s.reachable()) {
    if (const NodeId condition = tree.first(guard); condition.valid()) {
      Label then{"then"};
      lower_condition(s, condition, then, next);
      place(s, then);
    }
  }
  if (const NodeId body = tree.child(clause, Field::Consequence); body.valid()) lower_statement(s, body);
  jump(s, join);
  place(s, next);
}

}  // namespace

void lower_match(Scope& s, NodeId n) {
  const SyntaxTree& tree = s.tree();
  const std::vector<NodeId> subjects = tree.named(n, Field::Subject);
  const NodeId body = tree.child(n, Field::Body);
  if (subjects.empty() || !body.valid()) return unknown_statement(s, n, "match");
  const SourceRange range = span(s.range(subjects.front()), s.range(subjects.back()));
  const ExprId value = subjects.size() == 1 ? lower_expression(s, subjects[0]) : lower_tuple(s, subjects);
  const ExprId subject = spill_unless_simple(s, value, range);
  Label join{"join"};
  for (const NodeId clause : tree.children(body))
    if (tree[clause].kind == Kind::CaseClause && s.reachable()) lower_case(s, clause, subject, join);
  place(s, join);
}

}  // namespace ranklint::python
