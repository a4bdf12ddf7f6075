// Comprehensions are loops.
//
// `[f(x) for x in xs if p(x)]` stands where it is written as
//
//     %0 = []
//     for %x in xs: if p(%x): %1 = call f(%x); %0 = %0 + [%1]
//
// so that its calls are seen like any others. The variables get names of their own, because in Python they do not
// touch those around. A generator expression runs later, when it is iterated: it is a generator function, called
// at once with its first iterable, as in Python.
#include <deque>

#include "frontends/python/lowering.h"

namespace ranklint::python {

using ir::ExprId;
using ir::ExprKind;

namespace {

// One `for` of a comprehension.
struct Loop {
  Label head{"loop"};
  Label body{"body"};
  Label end{"end"};
};

void collect_names(const SyntaxTree& tree, NodeId target, std::vector<NodeId>& names) {
  // The nodes of a subtree lie together; a name counts unless an attribute or subscript stands around it.
  const uint32_t end = target.index + tree[target].size;
  for (uint32_t i = target.index; i < end;) {
    const Kind kind = tree.nodes[i].kind;
    if (kind == Kind::Identifier) names.push_back(NodeId{i});
    i += kind == Kind::Attribute || kind == Kind::Subscript || kind == Kind::Call ? tree.nodes[i].size : 1;
  }
}

void rename_variables(Scope& s, NodeId target) {
  std::vector<NodeId> names;
  collect_names(s.tree(), target, names);
  for (const NodeId n : names) {
    const std::string name = clean_text(s.tree().text(n));
    std::string renamed = "%" + name;
    // The same variable in a comprehension inside of this one.
    for (const auto& rename : s.renames)
      if (rename.second == renamed) renamed += "_" + std::to_string(++s.rename_count);
    s.renames.emplace_back(name, renamed);
  }
}

// Lowers the clauses; `produce` runs in the innermost loop. The first iterable may be given.
template <typename Produce>
void lower_clauses(Scope& s, NodeId n, ExprId first_iterable, Produce produce) {
  const SyntaxTree& tree = s.tree();
  const size_t renames = s.renames.size();
  std::deque<Loop> loops;
  for (const NodeId clause : tree.children(n)) {
    if (tree[clause].kind == Kind::ForInClause) {
      const NodeId left = tree.child(clause, Field::Left);
      const std::vector<NodeId> right = tree.named(clause, Field::Right);
      if (!left.valid() || right.empty()) continue;
      const bool given = loops.empty() && first_iterable.valid();
      const ExprId iterable = given               ? first_iterable
                              : right.size() == 1 ? lower_expression(s, right[0])
                                                  : lower_tuple(s, right);
      rename_variables(s, left);
      const ExprId target = lower_target(s, left);
      Loop& loop = loops.emplace_back();
      place(s, loop.head);
      const ir::BlockId body = block_of(s, loop.body);
      s.ir.iterate(target, iterable, body, block_of(s, loop.end), span(s.range(left), s.range(right.back())));
      place(s, loop.body);
    } else if (tree[clause].kind == Kind::IfClause && !loops.empty()) {
      const NodeId condition = tree.first(clause);
      if (!condition.valid()) continue;
      Label then{"then"};
      lower_condition(s, condition, then, loops.back().head);
      place(s, then);
    }
  }
  produce();
  for (; !loops.empty(); loops.pop_back()) {
    jump(s, loops.back().head);
    place(s, loops.back().end);
  }
  s.renames.resize(renames);
}

ExprId element_of(Scope& s, NodeId n) {
  const NodeId body = s.tree().child(n, Field::Body);
  if (!body.valid()) return unknown_expression(s, n, "comprehension");
  if (s.node(body).kind != Kind::Pair) return lower_expression(s, body);
  return lower_tuple(s, s.tree().named(body));
}

// `%0 + [element]`, `%0 | {element}`, `%0 | {key: value}`.
ExprId extended(Scope& s, NodeId n, ExprId result) {
  const NodeId body = s.tree().child(n, Field::Body);
  if (!body.valid()) return unknown_expression(s, n, "comprehension");
  const std::vector<NodeId> parts = s.node(body).kind == Kind::Pair ? s.tree().named(body) : std::vector{body};
  std::vector<ExprId> values;
  for (const NodeId part : parts) values.push_back(lower_expression(s, part));
  switch (s.node(n).kind) {
    case Kind::ListComprehension: return s.ir.binary(ir::Operator::Add, result, s.ir.sequence(ExprKind::List, values));
    case Kind::SetComprehension: return s.ir.binary(ir::Operator::BitOr, result, s.ir.sequence(ExprKind::Set, values));
    default:
      if (values.size() != 2) return unknown_expression(s, n, "comprehension");
      return s.ir.binary(ir::Operator::BitOr, result, s.ir.sequence(ExprKind::Dict, values));
  }
}

ExprKind display_of(Kind comprehension) {
  if (comprehension == Kind::ListComprehension) return ExprKind::List;
  return comprehension == Kind::SetComprehension ? ExprKind::Set : ExprKind::Dict;
}

}  // namespace

ExprId lower_comprehension(Scope& s, NodeId n) {
  const ExprId result = s.ir.temporary();
  s.ir.assign(result, s.ir.expr(display_of(s.node(n).kind)), s.range(n));
  lower_clauses(s, n, {}, [&] { s.ir.assign(result, extended(s, n, result), s.range(n)); });
  return result;
}

static ir::FunctionId lower_generator_function(Scope& outer, NodeId n) {
  if (const auto known = outer.file.functions.find(n.index); known != outer.file.functions.end()) return known->second;
  const ir::FunctionId id =
      ir::add_function(outer.file.module, outer.prefix + "<genexpr>", ir::FunctionKind::Comprehension);
  outer.file.functions.emplace(n.index, id);
  Scope s{.file = outer.file,
          .ir = ir::FunctionBuilder(outer.file.module, id),
          .prefix = outer.prefix,
          .closure_parent = id};
  s.renames = outer.renames;
  s.order.push_back(s.ir.block());
  const ExprId iterable = s.ir.temporary();
  ir::Function& f = s.ir.function();
  f.parent = outer.closure_parent;
  f.is_generator = true;
  f.range = f.name_range = s.range(n);
  f.parameters.push_back({.name = f.exprs[iterable].symbol});
  for (const NodeId clause : s.tree().children(n))
    if (s.tree().child(clause, Kind::Async).valid()) f.is_async = true;
  lower_clauses(s, n, iterable, [&] {
    const ExprId element = element_of(s, n);
    s.ir.add({.kind = ir::InstructionKind::Yield, .value = element, .range = s.range(n)});
  });
  finish_function(s, {s.range(n).end_line, s.range(n).end_column, s.range(n).end_line, s.range(n).end_column});
  return id;
}

ExprId lower_generator(Scope& s, NodeId n) {
  const Nesting nesting(s);
  const NodeId clause = s.tree().child(n, Kind::ForInClause);
  const std::vector<NodeId> right = clause.valid() ? s.tree().named(clause, Field::Right) : std::vector<NodeId>();
  if (right.empty() || nesting.too_deep()) return unknown_expression(s, n, "generator expression");
  const ExprId iterable = right.size() == 1 ? lower_expression(s, right[0]) : lower_tuple(s, right);
  const ExprId function = s.ir.function_ref(lower_generator_function(s, n));
  if (s.as_tree) return s.ir.expr(ExprKind::Call, {function, iterable});
  return s.ir.call(function, {{.value = iterable}}, s.range(n));
}

}  // namespace ranklint::python
