// `try`: exceptions go to a chain of dispatch blocks, one for each `except`; what none of them takes is raised
// again. The base class of all exceptions takes every one, as no class at all does. A `finally` body stands on every
// way out: at the normal end, on the way of an exception, and before each early return, break or continue
// (leave_regions).
#include <algorithm>

#include "frontends/python/lowering.h"

namespace ranklint::python {

using ir::BlockId;
using ir::ExprId;
using ir::InstructionKind;

namespace {

struct Except {
  NodeId types;  // one, or several of Python 2
  NodeId alias;
};

// `except T as e` comes as a pattern or, in broken code, as two fields.
Except parts_of(const SyntaxTree& tree, NodeId clause) {
  Except parts{.types = tree.child(clause, Field::Value), .alias = tree.child(clause, Field::Alias)};
  if (parts.types.valid() && tree[parts.types].kind == Kind::AsPattern) {
    parts.alias = tree.child(parts.types, Field::Alias);
    parts.types = tree.first(parts.types);
  }
  return parts;
}

// Whether a clause takes every exception by one of these classes (The Python Standard Library, "Exception hierarchy").
bool take_all(const SyntaxTree& tree, const std::vector<NodeId>& classes) {
  constexpr std::string_view kBaseOfAll = "BaseException";
  return std::ranges::any_of(classes, [&](NodeId type) {
    if (tree[type].kind == Kind::Tuple) return take_all(tree, tree.named(type));
    return tree[type].kind == Kind::Identifier && tree.text(type) == kBaseOfAll;
  });
}

void lower_handler_body(Scope& s, NodeId clause) {
  for (const NodeId child : s.tree().children(clause))
    if (s.node(child).kind == Kind::Block) lower_statement(s, child);
}

// What is caught where one of several classes is asked for.
struct Caught {
  std::vector<NodeId> classes;  // empty: all
  NodeId alias, body;           // invalid: none
  NodeId place;                 // what is shown for it
};

// In the dispatch block; goes on in the next one.
void lower_caught(Scope& s, const Caught& caught, SourceRange asked, Label& after) {
  Label handler{"except"}, next{"dispatch"};
  ExprId types;
  if (!caught.classes.empty()) {
    const NodeId first = caught.classes.front();
    const bool is_one = caught.classes.size() == 1 && s.node(first).kind != Kind::ListSplat;
    types = is_one ? lower_expression(s, first) : lower_tuple(s, caught.classes);
    if (!take_all(s.tree(), caught.classes))
      s.ir.terminate({.kind = ir::TerminatorKind::Except,
                      .value = types,
                      .successors = {block_of(s, handler), block_of(s, next)},
                      .range = asked});
  }
  place(s, handler);
  const bool direct = caught.alias.valid() && !s.node(caught.alias).emits;
  const ExprId target = direct ? lower_target(s, caught.alias) : s.ir.temporary();
  s.ir.add({.kind = InstructionKind::Catch, .target = target, .value = types, .range = s.range(caught.place)});
  if (caught.alias.valid() && !direct) assign(s, caught.alias, target, s.range(caught.place));
  if (caught.body.valid()) lower_handler_body(s, caught.body);
  jump(s, after);
  place(s, next);
}

void lower_except(Scope& s, NodeId clause, Label& after) {
  const Except parts = parts_of(s.tree(), clause);
  Caught caught{.alias = parts.alias, .body = clause, .place = clause};
  if (!parts.types.valid()) return lower_caught(s, caught, {}, after);
  const std::vector<NodeId> all = s.tree().named(clause, Field::Value);
  caught.classes = all.size() > 1 ? all : std::vector{parts.types};
  lower_caught(s, caught, s.range(parts.types), after);
}

void lower_excepts(Scope& s, const std::vector<NodeId>& clauses, BlockId dispatch, Label& after) {
  place_handler(s, dispatch);
  for (const NodeId clause : clauses)
    if (s.reachable()) lower_except(s, clause, after);
  if (s.reachable()) s.ir.raise({}, s.range(clauses.back()));
}

}  // namespace

std::vector<NodeId> suppressed_by(const SyntaxTree& tree, NodeId call) {
  const NodeId list = tree.child(call, Field::Arguments);
  return list.valid() ? tree.named(list) : std::vector<NodeId>{};
}

void lower_suppressed(Scope& s, NodeId call, BlockId dispatch, Label& after) {
  place_handler(s, dispatch);
  lower_caught(s, {.classes = suppressed_by(s.tree(), call), .place = call}, s.range(call), after);
  if (s.reachable()) s.ir.raise({}, s.range(call));
}

static void lower_handled(Scope& s, NodeId n, const std::vector<NodeId>& clauses, Label& after) {
  const SyntaxTree& tree = s.tree();
  const BlockId outer = s.ir.handler();
  const BlockId dispatch = clauses.empty() ? BlockId{} : handler_block(s, "dispatch");
  if (dispatch.valid()) s.ir.set_handler(dispatch);
  Label start{"try"};
  place(s, start);
  if (const NodeId body = tree.child(n, Field::Body); body.valid()) lower_statement(s, body);
  if (const NodeId clause = tree.child(n, Kind::ElseClause); clause.valid() && s.reachable()) {
    set_handler(s, outer, "else");  // what it raises is not for the handlers
    if (const NodeId body = tree.child(clause, Field::Body); body.valid()) lower_statement(s, body);
  }
  jump(s, after);
  s.ir.set_handler(outer);
  if (dispatch.valid()) lower_excepts(s, clauses, dispatch, after);
}

void lower_try(Scope& s, NodeId n) {
  const SyntaxTree& tree = s.tree();
  std::vector<NodeId> clauses;
  for (const NodeId child : tree.children(n))
    if (tree[child].kind == Kind::ExceptClause) clauses.push_back(child);
  const NodeId clause = tree.child(n, Kind::FinallyClause);
  const NodeId finally = clause.valid() ? tree.child(clause, Kind::Block) : NodeId{};
  Label after{finally.valid() ? "finally" : "join"};
  if (!finally.valid()) {
    lower_handled(s, n, clauses, after);
    return place(s, after);
  }

  const BlockId outer = s.ir.handler();
  const BlockId unwind = handler_block(s, "unwind");
  s.regions.push_back({.kind = Region::Kind::Finally, .outer_handler = outer, .finally_body = finally});
  s.ir.set_handler(unwind);
  lower_handled(s, n, clauses, after);
  s.regions.pop_back();
  s.ir.set_handler(outer);
  place(s, after);
  if (s.reachable()) lower_statement(s, finally);

  const BlockId next = s.ir.block();
  place_handler(s, unwind);
  s.ir.add({.kind = InstructionKind::Catch, .target = s.ir.temporary(), .range = s.range(clause)});
  lower_copy(s, finally);
  if (s.reachable()) s.ir.raise({}, s.range(clause));
  s.ir.set_block(next);
}

void lower_raise(Scope& s, NodeId n) {
  ExprId value;
  for (const NodeId child : s.tree().children(n)) {
    if (is_token(s.node(child).kind)) continue;
    const ExprId operand = lower_expression(s, child);
    if (!value.valid()) value = operand;  // the cause is computed, and that is all
  }
  // Without a handler in this function, the exception passes the exits around it.
  if (!s.ir.handler().valid())
    for (size_t i = s.regions.size(); i > 0; --i)
      if (s.regions[i - 1].kind == Region::Kind::With) s.ir.add(unwound(s.regions[i - 1].exit));
  s.ir.raise(value, s.range(n));
}

}  // namespace ranklint::python
