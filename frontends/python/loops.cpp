// if, while, for, and the jumps of loops.
#include "frontends/python/lowering.h"

namespace ranklint::python {

using ir::ExprId;

static void lower_body(Scope& s, NodeId n, Field field) {
  if (const NodeId body = s.tree().child(n, field); body.valid()) lower_statement(s, body);
}

void lower_if(Scope& s, NodeId n) {
  Label join{"join"};
  NodeId part = n;  // the `if`, then each `elif`
  for (const NodeId next : s.tree().named(n, Field::Alternative)) {
    if (!s.reachable()) break;
    if (s.node(part).kind == Kind::ElseClause) break;
    const NodeId condition = s.tree().child(part, Field::Condition);
    Label then{"then"}, otherwise{"else"};
    if (condition.valid()) lower_condition(s, condition, then, otherwise);
    place(s, then);
    lower_body(s, part, Field::Consequence);
    jump(s, join);
    place(s, otherwise);
    part = next;
  }
  if (s.node(part).kind == Kind::ElseClause) {
    lower_body(s, part, Field::Body);
  } else if (const NodeId condition = s.tree().child(part, Field::Condition); condition.valid()) {
    Label then{"then"};
    lower_condition(s, condition, then, join);
    place(s, then);
    lower_body(s, part, Field::Consequence);
  }
  place(s, join);
}

// The body of a loop, from where its head has led, and its `else`; `after` is where its condition ends it.
static void lower_loop_body(Scope& s, NodeId n, Label& head, Label& after, Label& end) {
  s.regions.push_back(
      {.kind = Region::Kind::Loop, .outer_handler = s.ir.handler(), .break_target = &end, .continue_target = &head});
  lower_body(s, n, Field::Body);
  s.regions.pop_back();
  jump(s, head);
  place(s, after);
  for (const NodeId clause : s.tree().children(n))
    if (s.node(clause).kind == Kind::ElseClause) lower_body(s, clause, Field::Body);
  if (&after != &end) place(s, end);
}

void lower_while(Scope& s, NodeId n) {
  const NodeId condition = s.tree().child(n, Field::Condition);
  if (!condition.valid()) return unknown_statement(s, n, "while");
  Label head{"loop"}, body{"body"}, otherwise{"else"}, end{"end"};
  Label& after = s.tree().child(n, Kind::ElseClause).valid() ? otherwise : end;
  place(s, head);
  lower_condition(s, condition, body, after, true);
  place(s, body);
  lower_loop_body(s, n, head, after, end);
}

void lower_for(Scope& s, NodeId n) {
  const SyntaxTree& tree = s.tree();
  const NodeId left = tree.child(n, Field::Left), right = tree.child(n, Field::Right);
  if (!left.valid() || !right.valid()) return unknown_statement(s, n, "for");
  Label head{"loop"}, body{"body"}, otherwise{"else"}, end{"end"};
  Label& after = tree.child(n, Kind::ElseClause).valid() ? otherwise : end;
  const ExprId iterable = lower_expression(s, right);
  // A target that calls (`for table[key()] in ...`) is assigned in the body.
  const bool direct = !tree[left].emits;
  const ExprId target = direct ? lower_target(s, left) : s.ir.temporary();
  place(s, head);
  const ir::BlockId to_body = block_of(s, body);
  s.ir.iterate(target, iterable, to_body, block_of(s, after), span(s.range(left), s.range(right)));
  place(s, body);
  if (!direct) assign(s, left, target, s.range(left));
  lower_loop_body(s, n, head, after, end);
}

static void leave_loop(Scope& s, NodeId n, Label* Region::* target) {
  for (size_t i = s.regions.size(); i > 0; --i) {
    if (s.regions[i - 1].kind != Region::Kind::Loop) continue;
    Label& label = *(s.regions[i - 1].*target);
    leave_regions(s, i);
    return jump(s, label, s.range(n));
  }
  unknown_statement(s, n, "jump outside of a loop");
}

void lower_break(Scope& s, NodeId n) { leave_loop(s, n, &Region::break_target); }
void lower_continue(Scope& s, NodeId n) { leave_loop(s, n, &Region::continue_target); }

}  // namespace ranklint::python
