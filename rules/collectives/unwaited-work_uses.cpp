#include <algorithm>

#include "analyzer/questions/callee.h"
#include "rules/collectives/unwaited-work.h"

namespace ranklint::unwaited_work {

HandleUses::Scope HandleUses::scope_of(FunctionKey f) const {
  const ModuleKey module = in_.index().functions()[f].module;
  return {f, module, in_.index().modules()[module], in_.index().function(f)};
}

bool HandleUses::is(const Scope& in, ir::ExprId e, const Holder& holder) const {
  if (!e.valid()) return false;
  const ir::Expr& expr = in.ir.exprs[e];
  const ir::ExprKind kind = holder.function.valid() ? ir::ExprKind::Name : ir::ExprKind::Attribute;
  return expr.kind == kind && in.text.text(expr.symbol) == holder.name;
}

bool HandleUses::mentions(const Scope& in, ir::ExprId e, const Holder& holder) const {
  return e.valid() && ir::any_part(in.ir, e, [&](ir::ExprId part) { return is(in, part, holder); });
}

// Whether the value is what the holder holds, or has it among its elements, and so takes it to where it is put.
bool HandleUses::carries(const Scope& in, ir::ExprId e, const Holder& holder) const {
  if (is(in, e, holder)) return true;
  const ir::Expr& expr = in.ir.exprs[e];
  const bool holds_parts = expr.kind == ir::ExprKind::List || expr.kind == ir::ExprKind::Tuple ||
                           (expr.kind == ir::ExprKind::Binary && expr.op == ir::Operator::Add);
  return holds_parts &&
         std::ranges::any_of(ir::children(in.ir, e), [&](ir::ExprId part) { return carries(in, part, holder); });
}

bool HandleUses::put_in(const Scope& in, ir::ExprId target) {
  if (!target.valid()) return true;
  const ir::Expr& expr = in.ir.exprs[target];
  switch (expr.kind) {
    case ir::ExprKind::Name: return followed({in.key, std::string(in.text.text(expr.symbol))});
    // Of another object than its own a function knows nothing.
    case ir::ExprKind::Attribute: {
      const ir::Expr& object = in.ir.exprs[ir::children(in.ir, target)[0]];
      const bool is_own = object.kind == ir::ExprKind::Name && in_.index().class_of_self(in.key, object.symbol).valid();
      return !is_own || followed({{}, std::string(in.text.text(expr.symbol))});
    }
    case ir::ExprKind::Subscript: return put_in(in, ir::children(in.ir, target)[0]);
    case ir::ExprKind::Tuple:
    case ir::ExprKind::List:
      return std::ranges::any_of(ir::children(in.ir, target), [&](ir::ExprId part) { return put_in(in, part); });
    default: return true;
  }
}

bool HandleUses::followed(const Holder& holder) {
  if (!asked_.insert(holder).second) return false;
  if (holder.function.valid()) {
    const Scope in = scope_of(holder.function);
    return is_captured(in, holder) || used_in(in, holder);
  }
  for (FunctionKey f{0}; f.index < in_.index().functions().size(); ++f.index)
    if (used_in(scope_of(f), holder)) return true;
  return false;
}

// Whether a function inside of this one names the variable, or others share it: what a caller hands over is his.
bool HandleUses::is_captured(const Scope& in, const Holder& holder) const {
  const auto is_it = [&](Symbol name) { return in.text.text(name) == holder.name; };
  const auto is_parameter = [&](const ir::Parameter& p) { return is_it(p.name); };
  return in.ir.kind == ir::FunctionKind::Module || std::ranges::any_of(in.ir.parameters, is_parameter) ||
         is_shared_variable(in.text, in.ir, is_it);
}

bool HandleUses::used_in(const Scope& in, const Holder& holder) {
  for (uint32_t e = 0;; ++e) {
    if (e == in.ir.exprs.size()) return false;
    if (is(in, ir::ExprId{e}, holder)) break;
  }
  return std::ranges::any_of(in.ir.blocks, [&](const ir::Block& block) {
    return used_by(in, block.terminator, holder) ||
           std::ranges::any_of(block.instructions, [&](const ir::Instruction& i) { return used_by(in, i, holder); });
  });
}

bool HandleUses::used_by(const Scope& in, const ir::Instruction& i, const Holder& holder) {
  switch (i.kind) {
    case ir::InstructionKind::Assert: return used_in_test(in, i.value, holder);
    case ir::InstructionKind::Delete: return false;
    case ir::InstructionKind::Assign: return handed_on(in, i.value, i.target, holder);
    case ir::InstructionKind::Call: return used_by_call(in, i, holder);
    default: return mentions(in, i.value, holder);
  }
}

// Whether putting the value there leads to somebody who may wait for what the holder holds.
bool HandleUses::handed_on(const Scope& in, ir::ExprId value, ir::ExprId target, const Holder& holder) {
  if (!mentions(in, value, holder)) return false;
  return carries(in, value, holder) ? put_in(in, target) : used_in_test(in, value, holder);
}

bool HandleUses::used_by_call(const Scope& in, const ir::Instruction& call, const Holder& holder) {
  const ir::Expr& callee = in.ir.exprs[call.value];
  const bool is_method = callee.kind == ir::ExprKind::Attribute;
  const ir::ExprId receiver = is_method ? ir::children(in.ir, call.value)[0] : ir::ExprId{};
  const std::string name = foreign_name(in_.index(), in.module, in.ir, call.value);
  const bool adds = is_method && in_.roles().play(name, Role::AddsElement);
  const bool hands_on = in_.roles().play(name, Role::HandsOnElements);
  if (mentions(in, call.value, holder) &&
      !(is(in, receiver, holder) && (adds || in_.roles().play(name, Role::Empties))))
    return true;
  for (const ir::Argument& a : ir::arguments(in.ir, call)) {
    if (!mentions(in, a.value, holder)) continue;
    if (adds && handed_on(in, a.value, receiver, holder)) return true;
    if (!adds && (hands_on ? put_in(in, call.target) : !in_.roles().play(name, Role::NeverRaises))) return true;
  }
  return false;
}

bool HandleUses::used_by(const Scope& in, const ir::Terminator& t, const Holder& holder) {
  if (t.kind == ir::TerminatorKind::Branch) return used_in_test(in, t.value, holder);
  if (t.kind == ir::TerminatorKind::Iterate) return handed_on(in, t.value, t.target, holder);
  return mentions(in, t.value, holder);
}

// `handle is not None and ...`, `if handles:`: who asks whether there is one has not waited for it.
bool HandleUses::used_in_test(const Scope& in, ir::ExprId e, const Holder& holder) const {
  if (!mentions(in, e, holder) || is(in, e, holder)) return false;
  const ir::Expr& expr = in.ir.exprs[e];
  const auto parts = ir::children(in.ir, e);
  const bool joins = expr.kind == ir::ExprKind::And || expr.kind == ir::ExprKind::Or ||
                     (expr.kind == ir::ExprKind::Unary && expr.op == ir::Operator::Not);
  if (joins) return std::ranges::any_of(parts, [&](ir::ExprId part) { return used_in_test(in, part, holder); });
  const bool asks = expr.kind == ir::ExprKind::Binary &&
                    (expr.op == ir::Operator::Is || expr.op == ir::Operator::IsNot) &&
                    in.ir.exprs[parts[1]].kind == ir::ExprKind::None;
  return !(asks && is(in, parts[0], holder));
}

}  // namespace ranklint::unwaited_work
