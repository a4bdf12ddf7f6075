#include "frontends/python/lowering.h"

namespace ranklint::python {

using ir::ExprId;
using ir::ExprKind;

// A bare expression: what it computes is dropped, what it calls is not.
void lower_effect(Scope& s, NodeId n) {
  const NodeId inner = unwrap(s.tree(), n);
  switch (s.node(inner).kind) {
    case Kind::String:  // a docstring, as a rule
      if (!s.node(inner).emits) return;
      break;
    case Kind::Ellipsis:
    case Kind::Integer:
    case Kind::Identifier: return;
    default: break;
  }
  const ExprId value = lower_expression(s, inner);
  if (!is_place_or_literal(s, value)) spill(s, value, s.range(n));  // reading an attribute may run a property
}

static void lower_expression_statement(Scope& s, NodeId n) {
  for (const NodeId child : s.tree().children(n)) {
    switch (s.node(child).kind) {
      case Kind::Assignment: lower_assignment(s, child); break;
      case Kind::AugmentedAssignment: lower_augmented_assignment(s, child); break;
      default:
        if (!is_token(s.node(child).kind)) lower_effect(s, child);
    }
  }
}

static void return_value(Scope& s, ExprId value, NodeId n) {
  bool runs_code = false;
  for (const Region& region : s.regions) runs_code |= region.kind != Region::Kind::Loop;
  if (runs_code) {
    // What is returned is known before the exits run.
    if (value.valid()) value = spill_unless_simple(s, value, s.range(n));
    leave_regions(s, 0);
  }
  if (s.reachable()) s.ir.return_(value, s.range(n));
}

static void lower_return(Scope& s, NodeId n) {
  ExprId value;
  if (const NodeId operand = s.tree().first(n); operand.valid()) value = lower_expression(s, operand);
  return_value(s, value, n);
}

// Programs are read as if their assertions hold, unless a handler may catch it: what is said where one fails is not
// lowered.
static void lower_assert(Scope& s, NodeId n) {
  const std::vector<NodeId> parts = s.tree().named(n);
  if (parts.empty()) return unknown_statement(s, n, "assert");
  if (parts.size() < 2 || !s.node(parts[1]).emits || !s.ir.handler().valid()) {
    const ExprId condition = lower_expression(s, parts[0]);
    s.ir.add({.kind = ir::InstructionKind::Assert, .value = condition, .range = s.range(n)});
    return;
  }
  Label holds{"holds"}, fails{"fails"};
  lower_condition(s, parts[0], holds, fails);
  place(s, fails);
  const ExprId message = lower_expression(s, parts[1]);
  const ExprId error = s.ir.call(s.ir.name("AssertionError"), {{.value = message}}, s.range(n));
  s.ir.raise(error, s.range(n));
  place(s, holds);
}

static void lower_scope_names(Scope& s, NodeId n, CompactVector<Symbol> ir::Function::* names) {
  for (const NodeId name : s.tree().children(n))
    if (s.node(name).kind == Kind::Identifier)
      (s.ir.function().*names).push_back(s.ir.symbol(clean_text(s.tree().text(name))));
}

// `type X = ...`: the value is computed when it is asked for, and never communicates.
static void lower_type_alias(Scope& s, NodeId n) {
  const NodeId left = s.tree().child(n, Field::Left), right = s.tree().child(n, Field::Right);
  if (!left.valid() || !right.valid()) return unknown_statement(s, n, "type");
  NodeId name = unwrap(s.tree(), left);
  if (s.node(name).kind == Kind::GenericType) name = s.tree().first(name);
  const ExprId target = lower_target(s, name);
  const ExprId value = lower_expression(s, right);
  s.ir.assign(target, value, s.range(n));
}

// Statements of Python 2 keep what they evaluate.
static void lower_unknown_statement(Scope& s, NodeId n, std::string_view what) {
  std::vector<ExprId> operands;
  for (const NodeId child : s.tree().named(n)) {
    const NodeId operand = s.node(child).kind == Kind::Chevron ? s.tree().first(child) : child;
    if (operand.valid()) operands.push_back(lower_expression(s, operand));
  }
  unknown_statement(s, n, what, s.ir.sequence(ExprKind::Tuple, operands));
}

static bool is_statement(Kind kind) { return kind >= Kind::Block && kind <= Kind::DecoratedDefinition; }

static bool starts_with_word(std::string_view text, std::string_view word) {
  return text.starts_with(word) && (text.size() == word.size() || text[word.size()] == ' ');
}

// Of text that fits nowhere, the statements and calls inside are kept, and that it leaves the function.
static void lower_error(Scope& s, NodeId n) {
  const Nesting nesting(s);
  if (nesting.too_deep() || !s.reachable()) return;
  s.ir.add({.kind = ir::InstructionKind::Unknown, .symbol = s.ir.symbol("syntax error"), .range = s.range(n)});
  for (const NodeId child : s.tree().children(n)) {
    const Kind kind = s.node(child).kind;
    if (kind == Kind::Error)
      lower_error(s, child);
    else if (is_statement(kind))
      lower_statement(s, child);
    else if (s.node(child).emits && s.reachable())
      lower_effect(s, child);
  }
  if (s.reachable() && starts_with_word(s.tree().text(n), "return")) return_value(s, s.ir.unknown("syntax error"), n);
}

// Broken text inside a statement, outside of its blocks.
void lower_errors_of(Scope& s, NodeId n) {
  for (const NodeId child : s.tree().children(n))
    if (s.node(child).kind == Kind::Error) lower_error(s, child);
}

static void note_dead_yields(Scope& s, NodeId n) {
  // `return; yield` is how an empty generator is written: a yield counts even where it can not run.
  const std::vector<Node>& nodes = s.tree().nodes;
  const uint32_t end = n.index + s.node(n).size;
  for (uint32_t i = n.index; i < end;) {
    const Kind kind = nodes[i].kind;
    if (kind == Kind::Yield) s.ir.function().is_generator = true;
    const bool own_scope = kind == Kind::FunctionDefinition || kind == Kind::ClassDefinition || kind == Kind::Lambda;
    i += own_scope ? nodes[i].size : 1;
  }
}

void lower_block(Scope& s, NodeId n) {
  const auto is_statement = [&](NodeId child) { return !is_token(s.node(child).kind); };
  size_t statements = 0;
  for (const NodeId child : s.tree().children(n)) statements += is_statement(child);
  s.ir.expect_instructions(statements);
  for (const NodeId child : s.tree().children(n))
    if (is_statement(child)) lower_statement(s, child);
}

void lower_statement(Scope& s, NodeId n) {
  if (!s.reachable()) return note_dead_yields(s, n);
  const Nesting nesting(s);
  if (nesting.too_deep()) return unknown_statement(s, n, "deeply nested statement");
  const Kind kind = s.node(n).kind;
  const bool reads_errors_itself = kind == Kind::Block || kind == Kind::Error || kind == Kind::FunctionDefinition;
  if (!reads_errors_itself) lower_errors_of(s, n);
  if (!s.reachable()) return;
  switch (kind) {
    case Kind::Block: return lower_block(s, n);
    case Kind::ExpressionStatement: return lower_expression_statement(s, n);
    case Kind::Assignment: return lower_assignment(s, n);
    case Kind::AugmentedAssignment: return lower_augmented_assignment(s, n);
    case Kind::ReturnStatement: return lower_return(s, n);
    case Kind::DeleteStatement: return lower_delete(s, n);
    case Kind::RaiseStatement: return lower_raise(s, n);
    case Kind::PassStatement: return;
    case Kind::BreakStatement: return lower_break(s, n);
    case Kind::ContinueStatement: return lower_continue(s, n);
    case Kind::GlobalStatement: return lower_scope_names(s, n, &ir::Function::globals);
    case Kind::NonlocalStatement: return lower_scope_names(s, n, &ir::Function::nonlocals);
    case Kind::AssertStatement: return lower_assert(s, n);
    case Kind::PrintStatement: return lower_unknown_statement(s, n, "print statement");
    case Kind::ExecStatement: return lower_unknown_statement(s, n, "exec statement");
    case Kind::TypeAliasStatement: return lower_type_alias(s, n);
    case Kind::ImportStatement:
    case Kind::ImportFromStatement:
    case Kind::FutureImportStatement: return lower_import(s, n);
    case Kind::IfStatement: return lower_if(s, n);
    case Kind::ForStatement: return lower_for(s, n);
    case Kind::WhileStatement: return lower_while(s, n);
    case Kind::TryStatement: return lower_try(s, n);
    case Kind::WithStatement: return lower_with(s, n);
    case Kind::MatchStatement: return lower_match(s, n);
    case Kind::FunctionDefinition: return lower_function_definition(s, n, {});
    case Kind::ClassDefinition: return lower_class_definition(s, n, {});
    case Kind::DecoratedDefinition: return lower_decorated(s, n);
    case Kind::Error: return lower_error(s, n);
    default: return unknown_statement(s, n, "statement");
  }
}

}  // namespace ranklint::python
