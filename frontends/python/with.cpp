// `with`: the exit runs on every way out: at the end, before an early return, break or continue, and, where a
// handler around it or a `raise` makes it matter, on the way of an exception.
#include "frontends/python/lowering.h"

namespace ranklint::python {

using ir::ExprId;
using ir::InstructionKind;

namespace {

// Enters one manager; the region that it opens is left by close().
void open(Scope& s, NodeId item, bool is_async) {
  const SyntaxTree& tree = s.tree();
  NodeId manager = tree.child(item, Field::Value), target;
  if (!manager.valid()) return unknown_statement(s, item, "with");
  if (const NodeId inner = unwrap(tree, manager); tree[inner].kind == Kind::AsPattern) {
    target = tree.child(inner, Field::Alias);
    manager = tree.first(inner);
  }
  const ExprId value = lower_expression(s, manager);
  const bool direct = target.valid() && !tree[target].emits;
  const ExprId entered = direct ? lower_target(s, target) : s.ir.temporary();
  s.ir.add({.kind = InstructionKind::EnterWith,
            .is_async = is_async,
            .target = entered,
            .value = value,
            .range = s.range(item)});
  if (target.valid() && !direct) assign(s, target, entered, s.range(item));
  s.regions.push_back({.kind = Region::Kind::With,
                       .outer_handler = s.ir.handler(),
                       .exit = {.kind = InstructionKind::ExitWith,
                                .is_async = is_async,
                                .value = value,
                                .range = s.range(item)}});
  if (s.ir.handler().valid()) set_handler(s, handler_block(s, "unwind"), "with");
}

void close(Scope& s, size_t depth) {
  const Region region = s.regions[depth];
  s.regions.resize(depth);
  const ir::BlockId unwind = s.ir.handler();
  set_handler(s, region.outer_handler, "exit");
  if (s.reachable()) s.ir.add(region.exit);
  if (unwind == region.outer_handler) return;
  const ir::BlockId next = s.ir.block();
  place_handler(s, unwind);
  s.ir.add({.kind = InstructionKind::Catch, .target = s.ir.temporary(), .range = region.exit.range});
  s.ir.add(region.exit);
  s.ir.raise({}, region.exit.range);
  s.ir.set_block(next);
}

}  // namespace

void lower_with(Scope& s, NodeId n) {
  const SyntaxTree& tree = s.tree();
  const bool is_async = tree.child(n, Kind::Async).valid();
  const NodeId clause = tree.child(n, Kind::WithClause), body = tree.child(n, Field::Body);
  if (!clause.valid()) return unknown_statement(s, n, "with");
  const size_t outer = s.regions.size();
  for (const NodeId item : tree.children(clause))
    if (tree[item].kind == Kind::WithItem) open(s, item, is_async);
  if (body.valid()) lower_statement(s, body);
  while (s.regions.size() > outer) close(s, s.regions.size() - 1);
}

}  // namespace ranklint::python
