// What expressions have to do with a variable or an attribute that holds a handle.
#include <algorithm>

#include "analyzer/base/whole_number.h"
#include "analyzer/ir/shared_variable.h"
#include "rules/collectives/unwaited-work.h"

namespace ranklint::unwaited_work {

bool HandleUses::is(const Scope& in, ir::ExprId e, const Holder& holder) const {
  if (!e.valid()) return false;
  const ir::Expr& expr = in.ir.exprs[e];
  const ir::ExprKind kind = holder.function.valid() ? ir::ExprKind::Name : ir::ExprKind::Attribute;
  if (expr.kind != kind || in.text.text(expr.symbol) != holder.name) return false;
  if (holder.function.valid() || !holder.owner.valid()) return true;
  const ir::Expr& object = in.ir.exprs[ir::children(in.ir, e)[0]];
  if (object.kind != ir::ExprKind::Name) return true;
  const ClassKey of = in_.index().class_of_self(in.key, object.symbol);
  return !of.valid() || may_be_of(of, holder.owner);
}

// Whether one object may have the methods of both classes.
bool HandleUses::may_be_of(ClassKey c, ClassKey owner) const {
  const auto [known, is_new] = related_.try_emplace({c, owner});
  if (!is_new) return known->second;
  const ProjectIndex& index = in_.index();
  bool& found = known->second;
  for (ClassKey made{0}; made.index < index.classes().size() && !found; ++made.index)
    found = index.derives_from(made, c) && index.derives_from(made, owner);
  return found;
}

static std::optional<int64_t> position_of(const ir::Module& text, const ir::Expr& index) {
  return index.kind == ir::ExprKind::Integer ? whole_number(text.text(index.symbol)) : std::nullopt;
}

HandleUses::Part HandleUses::part_in(const Scope& in, ir::ExprId e, const Holder& holder) const {
  if (is(in, e, holder)) return {Part::Kind::WithHandle, holder.path};
  if (!e.valid() || in.ir.exprs[e].kind != ir::ExprKind::Subscript) return {};
  Part part = part_in(in, ir::children(in.ir, e)[0], holder);
  if (!part.has_handle() || part.path.empty()) return part;
  const ir::Expr& index = in.ir.exprs[ir::children(in.ir, e)[1]];
  const int at = part.path.front();
  if (index.kind == ir::ExprKind::Slice) return at == kAnyElement ? part : Part{};
  const std::optional<int64_t> position = position_of(in.text, index);
  if (at != kAnyElement && position && *position != at) return {Part::Kind::Without, {}};
  part.path.erase(part.path.begin());
  return part;
}

bool HandleUses::mentions(const Scope& in, ir::ExprId e, const Holder& holder) const {
  if (!e.valid()) return false;
  const Part part = part_in(in, e, holder);
  if (part.kind != Part::Kind::None) return part.has_handle();
  return std::ranges::any_of(ir::children(in.ir, e), [&](ir::ExprId child) { return mentions(in, child, holder); });
}

// Where the handle lies in the value, which takes it to where it is put; empty: the value does not take it along.
std::vector<ElementPath> HandleUses::carried(const Scope& in, ir::ExprId e, const Holder& holder) const {
  if (const Part part = part_in(in, e, holder); part.has_handle()) return {part.path};
  const ir::Expr& expr = in.ir.exprs[e];
  const auto parts = ir::children(in.ir, e);
  std::vector<ElementPath> paths;
  const auto take = [&](ir::ExprId part, std::optional<int> position) {
    const bool is_spread = in.ir.exprs[part].kind == ir::ExprKind::Starred;
    for (ElementPath& path : carried(in, is_spread ? ir::children(in.ir, part)[0] : part, holder)) {
      if (position && !is_spread) path.insert(path.begin(), *position);
      paths.push_back(std::move(path));
    }
  };
  if (expr.kind == ir::ExprKind::Tuple)
    for (size_t i = 0; i < parts.size(); ++i) take(parts[i], static_cast<int>(i));
  if (expr.kind == ir::ExprKind::List || expr.kind == ir::ExprKind::Set)
    for (const ir::ExprId part : parts) take(part, kAnyElement);
  if (expr.kind == ir::ExprKind::Dict)
    for (size_t i = 1; i < parts.size(); i += 2) take(parts[i], kAnyElement);
  if (expr.kind == ir::ExprKind::Conditional)
    for (const ir::ExprId part : parts.subspan(1)) take(part, std::nullopt);
  if (expr.kind == ir::ExprKind::Binary && expr.op == ir::Operator::Add)
    for (const ir::ExprId part : parts) take(part, std::nullopt);
  return paths;
}

// `handle is not None and ...`, `if handles:`: a test for its presence does not wait for it.
bool HandleUses::used_in_test(const Scope& in, ir::ExprId e, const Holder& holder) const {
  if (!mentions(in, e, holder) || part_in(in, e, holder).has_handle()) return false;
  const ir::Expr& expr = in.ir.exprs[e];
  const auto parts = ir::children(in.ir, e);
  const bool joins = expr.kind == ir::ExprKind::And || expr.kind == ir::ExprKind::Or ||
                     (expr.kind == ir::ExprKind::Unary && expr.op == ir::Operator::Not);
  if (joins) return std::ranges::any_of(parts, [&](ir::ExprId part) { return used_in_test(in, part, holder); });
  const bool asks = expr.kind == ir::ExprKind::Binary &&
                    (expr.op == ir::Operator::Is || expr.op == ir::Operator::IsNot) &&
                    in.ir.exprs[parts[1]].kind == ir::ExprKind::None;
  return !(asks && part_in(in, parts[0], holder).has_handle());
}

// Whether a function inside of this one names the variable, or others share it: what a caller hands over is his.
bool HandleUses::is_captured(const Scope& in, const std::string& variable) const {
  const auto is_it = [&](Symbol name) { return in.text.text(name) == variable; };
  const auto is_parameter = [&](const ir::Parameter& p) { return is_it(p.name); };
  return in.ir.kind == ir::FunctionKind::Module || std::ranges::any_of(in.ir.parameters, is_parameter) ||
         is_shared_variable(in.text, in.ir, is_it);
}

bool HandleUses::is_captured(FunctionKey f, const std::string& variable) const {
  return is_captured(scope_of(f), variable);
}

}  // namespace ranklint::unwaited_work
