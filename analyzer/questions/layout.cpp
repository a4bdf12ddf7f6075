#include "analyzer/questions/layout.h"

#include <algorithm>

#include "analyzer/base/whole_number.h"
#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/resolve/dotted.h"

namespace ranklint {
namespace {

constexpr int kMostStepsToLayout = 8;  // from a tensor back to the call that lays it out

// A part whose dimension is not known is like no other.
bool are_alike(const Placement& a, const Placement& b) {
  return a.is_whole ? b.is_whole : !b.is_whole && a.dim && a.dim == b.dim;
}

bool are_alike(const Layout& a, const Layout& b) {
  return a.is_repeated == b.is_repeated &&
         std::ranges::equal(a.placements, b.placements,
                            [](const Placement& x, const Placement& y) { return are_alike(x, y); });
}

class Layouts {
 public:
  Layouts(const Query& in, const FunctionCode& code) : in_(in), code_(code) {}

  std::optional<Layout> of(ir::ExprId tensor, ProgramPoint at, int depth = 0) const {
    const ir::Expr& e = code_.ir.exprs[tensor];
    if (depth > kMostStepsToLayout) return std::nullopt;
    if (e.kind == ir::ExprKind::Attribute && in_.roles().play(code_.text.text(e.symbol), Role::KeepsTensor))
      return of(ir::children(code_.ir, tensor)[0], at, depth + 1);
    if (e.kind != ir::ExprKind::Name) return std::nullopt;
    const Reaching from = code_.reaching(e.symbol, at);
    if (from.entry || from.definitions.empty()) return std::nullopt;
    std::optional<Layout> all;
    for (const Definition& d : from.definitions) {
      std::optional<Layout> one = d.direct && d.instruction ? made_by(*d.instruction, d.place, depth) : std::nullopt;
      if (!one || (all && !are_alike(*all, *one))) return std::nullopt;
      all = std::move(one);
    }
    return all;
  }

  std::optional<Layout> given(const ir::Instruction& call, const RoleEntry& lays_out, ProgramPoint at) const {
    const ir::ExprId list = given_for(code_, call, lays_out);
    return list.valid() ? written(list, at, 0) : std::nullopt;
  }

 private:
  std::optional<Layout> made_by(const ir::Instruction& i, ProgramPoint at, int depth) const {
    if (i.kind == ir::InstructionKind::Assign) return of(i.value, at, depth + 1);
    if (i.kind != ir::InstructionKind::Call) return std::nullopt;
    if (const RoleEntry* lays_out = role_of(in_, code_, i, Role::LaysOut)) return given(i, *lays_out, at);
    if (code_.ir.exprs[i.value].kind == ir::ExprKind::Attribute && plays(in_, code_, i, Role::KeepsTensor))
      return of(ir::children(code_.ir, i.value)[0], at, depth + 1);
    const ir::ExprId wrapped = first_argument(code_, i);
    return plays(in_, code_, i, Role::KeepsType) && wrapped.valid() ? of(wrapped, at, depth + 1) : std::nullopt;
  }

  // A list of placements, or a name that holds one.
  std::optional<Layout> written(ir::ExprId list, ProgramPoint at, int depth) const {
    const ir::Expr& e = code_.ir.exprs[list];
    const auto children = ir::children(code_.ir, list);
    if (e.kind == ir::ExprKind::Name && depth < kMostStepsToLayout) {
      const std::optional<Definition> d = code_.only_definition(list, at);
      return d && d->instruction->kind == ir::InstructionKind::Assign
                 ? written(d->instruction->value, d->place, depth + 1)
                 : std::nullopt;
    }
    if (e.kind == ir::ExprKind::Binary && e.op == ir::Operator::Multiply &&
        code_.ir.exprs[children[0]].kind == ir::ExprKind::List) {
      std::optional<Layout> one = written(children[0], at, depth + 1);
      if (!one || one->placements.size() != 1) return std::nullopt;
      one->is_repeated = true;
      return one;
    }
    if (e.kind != ir::ExprKind::List && e.kind != ir::ExprKind::Tuple) return std::nullopt;
    Layout layout;
    for (ir::ExprId part : children) {
      const std::optional<Placement> placement = placement_of(part, at);
      if (!placement) return std::nullopt;
      layout.placements.push_back(*placement);
    }
    return layout;
  }

  std::optional<Placement> placement_of(ir::ExprId e, ProgramPoint at) const {
    const std::optional<Definition> d = code_.only_definition(e, at);
    if (!d || d->instruction->kind != ir::InstructionKind::Call) return std::nullopt;
    const std::string_view name = name_of_callee(code_, *d->instruction);
    if (plays(in_, code_, *d->instruction, Role::WholeOnEachRank))
      return Placement{.is_whole = true, .dim = {}, .written_as = name};
    const RoleEntry* part = role_of(in_, code_, *d->instruction, Role::PartOnEachRank);
    if (!part) return std::nullopt;
    const ir::ExprId dim = given_for(code_, *d->instruction, *part);
    const bool is_known = dim.valid() && code_.ir.exprs[dim].kind == ir::ExprKind::Integer;
    return Placement{.dim = is_known ? whole_number(code_.text.text(code_.ir.exprs[dim].symbol)) : std::nullopt,
                     .written_as = name};
  }

  const Query& in_;
  const FunctionCode& code_;
};

}  // namespace

std::optional<Layout> layout_of(const Query& in, const FunctionCode& code, ir::ExprId tensor, ProgramPoint at) {
  return Layouts(in, code).of(tensor, at);
}

std::optional<Layout> layout_given(const Query& in, const FunctionCode& code, const ir::Instruction& call,
                                   ProgramPoint at) {
  const RoleEntry* lays_out = role_of(in, code, call, Role::LaysOut);
  return lays_out ? Layouts(in, code).given(call, *lays_out, at) : std::nullopt;
}

bool is_whole(const Layout& layout) {
  return std::ranges::all_of(layout.placements, [](const Placement& p) { return p.is_whole; });
}

bool sends_nothing(const Layout& from, const Layout& to) {
  return from.is_repeated == to.is_repeated &&
         std::ranges::equal(from.placements, to.placements, [](const Placement& held, const Placement& wanted) {
           return are_alike(held, wanted) || (held.is_whole && !wanted.is_whole);
         });
}

}  // namespace ranklint
