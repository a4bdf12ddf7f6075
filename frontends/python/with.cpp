// `with`: the exit runs on every way out: at the end, before an early return, break or continue, and, where a
// handler around it or a `raise` makes it matter, on the way of an exception. `with suppress(OSError):` is
// `try: ... except OSError: pass` in other words, and becomes that.
#include <functional>
#include <ranges>

#include "frontends/python/lowering.h"

namespace ranklint::python {

using ir::ExprId;
using ir::InstructionKind;

namespace {

// The `as` of an item. Behind an `if ... else`, an `and` or the like, the grammar ties it to the last operand alone.
NodeId as_pattern_of(const SyntaxTree& tree, NodeId n) {
  for (;;) {
    n = unwrap(tree, n);
    switch (tree[n].kind) {
      case Kind::AsPattern: return n;
      case Kind::ConditionalExpression:
      case Kind::BooleanOperator:
      case Kind::NotOperator:
      case Kind::ComparisonOperator: break;
      default: return {};
    }
    const std::vector<NodeId> operands = tree.named(n);
    if (operands.empty()) return {};
    n = operands.back();
  }
}

// Enters a manager that may do anything; the region that this opens is left by close().
void open(Scope& s, NodeId item, bool is_async) {
  const SyntaxTree& tree = s.tree();
  const NodeId manager = tree.child(item, Field::Value);
  if (!manager.valid()) return unknown_statement(s, item, "with");
  const NodeId pattern = as_pattern_of(tree, manager);
  const NodeId target = pattern.valid() ? tree.child(pattern, Field::Alias) : NodeId{};
  const ExprId value = lower_expression(s, manager);
  const bool direct = target.valid() && !tree[target].emits;
  const ExprId entered = direct ? lower_target(s, target) : s.ir.temporary();
  s.ir.add({.kind = InstructionKind::EnterWith,
            .is_async = is_async,
            .target = entered,
            .value = value,
            .range = s.range(item)});
  if (target.valid() && !direct) assign(s, target, entered, s.range(item));
  s.regions.push_back(
      {.kind = Region::Kind::With,
       .outer_handler = s.ir.handler(),
       .exit = {.kind = InstructionKind::ExitWith, .is_async = is_async, .value = value, .range = s.range(item)}});
  if (s.ir.handler().valid()) set_handler(s, handler_block(s, "unwind"), "with");
}

// The call of `contextlib.suppress` that an item is (The Python Standard Library, "contextlib"); a bare `suppress` is
// taken for it. Invalid: it is another manager, or nothing is suppressed.
NodeId suppressing_call(const SyntaxTree& tree, NodeId item) {
  constexpr std::string_view kContextlib = "contextlib", kSuppress = "suppress";
  const NodeId call = unwrap(tree, tree.child(item, Field::Value));
  if (!call.valid() || tree[call].kind != Kind::Call) return {};
  NodeId callee = tree.child(call, Field::Function);
  if (callee.valid() && tree[callee].kind == Kind::Attribute) {
    const NodeId module = tree.child(callee, Field::Object);
    if (!module.valid() || tree.text(module) != kContextlib) return {};
    callee = tree.child(callee, Field::Attribute);
  }
  if (!callee.valid() || tree[callee].kind != Kind::Identifier || tree.text(callee) != kSuppress) return {};
  return suppressed_by(tree, call).empty() ? NodeId{} : call;
}

using Leave = std::function<void(Scope&)>;

Leave enter_suppressing(Scope& s, NodeId call) {
  const ir::BlockId outer = s.ir.handler(), dispatch = handler_block(s, "dispatch");
  set_handler(s, dispatch, "try");
  return [=](Scope& left) {
    Label after{"join"};
    jump(left, after);
    left.ir.set_handler(outer);
    lower_suppressed(left, call, dispatch, after);
    place(left, after);
  };
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
  s.ir.add(unwound(region.exit));
  s.ir.raise({}, region.exit.range);
  s.ir.set_block(next);
}

// Enters one manager; what is returned leaves it.
Leave enter(Scope& s, NodeId item, bool is_async) {
  if (const NodeId call = suppressing_call(s.tree(), item); call.valid()) return enter_suppressing(s, call);
  const size_t depth = s.regions.size();
  open(s, item, is_async);
  return [=](Scope& left) {
    if (left.regions.size() > depth) close(left, depth);
  };
}

}  // namespace

// The exit of a `with` on the way of an exception.
ir::Instruction unwound(ir::Instruction exit) {
  exit.unwinds = true;
  return exit;
}

void lower_with(Scope& s, NodeId n) {
  const SyntaxTree& tree = s.tree();
  const bool is_async = tree.child(n, Kind::Async).valid();
  const NodeId clause = tree.child(n, Kind::WithClause), body = tree.child(n, Field::Body);
  if (!clause.valid()) return unknown_statement(s, n, "with");
  std::vector<Leave> entered;
  for (const NodeId item : tree.children(clause))
    if (tree[item].kind == Kind::WithItem) entered.push_back(enter(s, item, is_async));
  if (body.valid()) lower_statement(s, body);
  for (const Leave& leave : std::views::reverse(entered)) leave(s);
}

}  // namespace ranklint::python
