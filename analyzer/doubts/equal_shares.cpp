// Items that are cut or padded to a multiple of the number of ranks before each takes its part:
//
//     paths = paths[: len(paths) - len(paths) % world_size]      # the rest is dropped
//     per_rank = math.ceil(len(paths) / world_size); total = per_rank * world_size
//     batches = ((n - 1) // batch // world_size + 1) * world_size
//
// `paths[rank::world_size]` alone may give some ranks one more; after any of these it does not. This reads the text: a
// remainder by the number of ranks that is subtracted or added, or a product of that number with a quotient by it.
#include "analyzer/doubts/equal_shares.h"

#include <algorithm>
#include <array>
#include <set>

namespace ranklint {
namespace {

constexpr int kDeepest = 12;

class Shares {
 public:
  Shares(const Query& in, FunctionKey f)
      : roles_(in.roles()),
        priors_(in.priors()),
        ir_(in.index().modules()[in.index().functions()[f].module]),
        f_(in.index().function(f)) {}

  bool are_equal() {
    // In the order of the text, so that a quotient has its name before the product is met.
    for (const ir::Block& block : f_.blocks) {
      for (const ir::Instruction& i : block.instructions) {
        if (i.kind == ir::InstructionKind::Call)
          note_call(i);
        else if (rounds(i.value, 0))
          return true;
        for (const ir::Argument& a : ir::arguments(f_, i))
          if (rounds(a.value, 0)) return true;
        if (i.kind == ir::InstructionKind::Assign && is_name(i.target) && divides(i.value, 0))
          quotients_.insert(f_.exprs[i.target].symbol);
      }
      if (block.terminator.value.valid() && rounds(block.terminator.value, 0)) return true;
    }
    return false;
  }

 private:
  bool is_name(ir::ExprId e) const { return e.valid() && f_.exprs[e].kind == ir::ExprKind::Name; }

  // `math.ceil(n / world_size)` is a quotient; so is what it is rounded with.
  void note_call(const ir::Instruction& i) {
    if (!is_name(i.target) || !i.value.valid()) return;
    const ir::Expr& callee = f_.exprs[i.value];
    if (callee.kind != ir::ExprKind::Name && callee.kind != ir::ExprKind::Attribute) return;
    const std::string_view name = ir_.text(callee.symbol);
    const Symbol target = f_.exprs[i.target].symbol;
    if (roles_.play(name, Role::CountsRanks) || roles_.play(name, Role::CountsDevices)) counts_.insert(target);
    if (!roles_.play(name, Role::RoundsNumber)) return;
    const auto arguments = ir::arguments(f_, i);
    if (arguments.size() == 1 && divides(arguments[0].value, 0)) quotients_.insert(target);
  }

  // Whether it is the number of ranks: by its name, or by the call that made it.
  bool counts_ranks(ir::ExprId e) const {
    const ir::Expr& expr = f_.exprs[e];
    if (expr.kind != ir::ExprKind::Name && expr.kind != ir::ExprKind::Attribute) return false;
    if (expr.kind == ir::ExprKind::Name && counts_.contains(expr.symbol)) return true;
    return priors_.suggest(ir_.text(expr.symbol), NameMeaning::RankCount);
  }

  // `batch * world_size`
  bool has_count(ir::ExprId e, int depth) const {
    if (counts_ranks(e)) return true;
    const ir::Expr& expr = f_.exprs[e];
    if (depth > kDeepest || expr.kind != ir::ExprKind::Binary || expr.op != ir::Operator::Multiply) return false;
    return std::ranges::any_of(ir::children(f_, e), [&](ir::ExprId child) { return has_count(child, depth + 1); });
  }

  // Whether a quotient by the number of ranks is in it.
  bool divides(ir::ExprId e, int depth) const {
    if (!e.valid() || depth > kDeepest) return false;
    const ir::Expr& expr = f_.exprs[e];
    if (expr.kind == ir::ExprKind::Name) return quotients_.contains(expr.symbol);
    if (expr.kind != ir::ExprKind::Binary && expr.kind != ir::ExprKind::Unary) return false;
    const auto children = ir::children(f_, e);
    if ((expr.op == ir::Operator::FloorDivide || expr.op == ir::Operator::Divide) && has_count(children[1], depth + 1))
      return true;
    return std::ranges::any_of(children, [&](ir::ExprId child) { return divides(child, depth + 1); });
  }

  bool is_remainder(ir::ExprId e) const {
    return f_.exprs[e].kind == ir::ExprKind::Binary && f_.exprs[e].op == ir::Operator::Modulo &&
           counts_ranks(ir::children(f_, e)[1]);
  }

  // `n - n % w`, `n + -n % w`, `w - n % w`, `n // w * w`; anywhere in the expression.
  bool rounds(ir::ExprId e, int depth) const {
    if (!e.valid() || depth > kDeepest) return false;
    const ir::Expr& expr = f_.exprs[e];
    const auto children = ir::children(f_, e);
    if (expr.kind == ir::ExprKind::Binary) {
      if (expr.op == ir::Operator::Subtract && is_remainder(children[1])) return true;
      if (is_remainder(e) && f_.exprs[children[0]].op == ir::Operator::Negate) return true;
      if (expr.op == ir::Operator::Multiply)
        for (const int side : {0, 1})
          if (counts_ranks(children[side]) && divides(children[1 - side], 0)) return true;
    }
    return std::ranges::any_of(children, [&](ir::ExprId child) { return rounds(child, depth + 1); });
  }

  const Roles& roles_;
  const NamePriors& priors_;
  const ir::Module& ir_;
  const ir::Function& f_;
  std::set<Symbol> quotients_, counts_;
};

}  // namespace

bool makes_equal_shares(const Query& in, FunctionKey f) { return Shares(in, f).are_equal(); }

}  // namespace ranklint
