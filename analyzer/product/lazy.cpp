// Whether something is there already is a matter of what ran before: ranks that reach the same getter at different
// places of the program all find it empty the first time, and fill it alike. So where the witness needs one rank
// to find nothing and to make it, no more is known than that the program has such a getter. A getter returns what it
// keeps: one rank that warms something up, and only notes that it did, still leaves the others behind.
//
// Read from the text: the branch tests a variable of the module or an attribute (`x is None`, `not x`, `k not in x`,
// `len(x) == 0`, `not hasattr(o, "x")`, or the opposite of these), and on the side where it is missing something is
// assigned to it, put into it, or a function of the same module that assigns it is called.
#include "analyzer/product/lazy.h"
#include "analyzer/resolve/builtins.h"

#include <algorithm>

namespace ranklint {
namespace {

using ir::ExprKind;
using ir::Operator;

// The name of a place, and whether the condition holds when nothing is there.
struct Question {
  std::string_view place;
  bool missing = true;
};

class Lazy {
 public:
  Lazy(const ProjectIndex& index, const Roles& roles, const Summary& summary, ir::BlockId branch)
      : index_(index),
        roles_(roles),
        summary_(summary),
        f_(index.function(summary.function)),
        module_(index.functions()[summary.function].module),
        text_(index.modules()[module_]),
        branch_(branch) {}

  std::optional<uint32_t> side() const {
    const ir::Terminator& end = f_.blocks[branch_].terminator;
    if (end.kind != ir::TerminatorKind::Branch || end.is_loop) return std::nullopt;
    const std::optional<Question> question = asked(end.value);
    if (!question) return std::nullopt;
    const uint32_t side = question->missing ? 0 : 1;
    const ir::BlockId filling = end.successors[side];
    return fills(filling, question->place) && hands_out(question->place, filling) ? std::optional(side) : std::nullopt;
  }

 private:
  std::optional<Question> asked(ir::ExprId e) const {
    const ir::Expr& expr = f_.exprs[e];
    const auto parts = ir::children(f_, e);
    switch (expr.kind) {
      case ExprKind::And:
      case ExprKind::Or:
        for (ir::ExprId part : parts)
          if (std::optional<Question> q = asked(part); q && q->missing == (expr.kind == ExprKind::And)) return q;
        return std::nullopt;
      case ExprKind::Unary: {
        if (expr.op != Operator::Not) return std::nullopt;
        std::optional<Question> q = asked(parts[0]);
        if (q) q->missing = !q->missing;
        return q;
      }
      case ExprKind::Binary: return compared(expr.op, parts[0], parts[1]);
      default: break;
    }
    if (const std::string_view place = named(e); !place.empty()) return Question{place, false};
    return std::nullopt;
  }

  std::optional<Question> compared(Operator op, ir::ExprId left, ir::ExprId right) const {
    const bool with_nothing = f_.exprs[right].kind == ExprKind::None ||
                              (f_.exprs[right].kind == ExprKind::Integer && text_.text(f_.exprs[right].symbol) == "0");
    const bool equal = op == Operator::Is || op == Operator::Equal,
               other = op == Operator::IsNot || op == Operator::NotEqual;
    if (with_nothing && (equal || other))
      if (const std::string_view place = named(left); !place.empty()) return Question{place, equal};
    if (ir::is_membership(op))
      if (const std::string_view place = named(right); !place.empty()) return Question{place, op == Operator::NotIn};
    return std::nullopt;
  }

  // The variable or attribute that an expression tests; empty for what only this call knows.
  std::string_view named(ir::ExprId e) const {
    const ir::Expr& expr = f_.exprs[e];
    if (expr.kind == ExprKind::Attribute) return text_.text(expr.symbol);
    if (expr.kind != ExprKind::Name) return {};
    const std::string_view name = text_.text(expr.symbol);
    if (SymbolTable::is_unnamed(name)) return through_call(expr.symbol);
    return is_local(expr.symbol) ? std::string_view() : name;
  }

  // `len(x)`, `hasattr(o, "x")`, `getattr(o, "x", None)`, `x.get(key)` in a temporary.
  std::string_view through_call(Symbol temporary) const {
    for (const ir::Instruction& i : f_.blocks[branch_].instructions) {
      if (i.kind != ir::InstructionKind::Call || !i.target.valid() || f_.exprs[i.target].symbol != temporary) continue;
      const auto arguments = ir::arguments(f_, i);
      const ir::Expr& callee = f_.exprs[i.value];
      const std::string_view name = text_.text(callee.symbol);
      if (callee.kind == ExprKind::Attribute && roles_.play(name, Role::LooksUpEntry))
        return named(ir::children(f_, i.value)[0]);
      if (callee.kind != ExprKind::Name || arguments.empty()) return {};
      if (is_builtin(name, Builtin::Len)) return named(arguments[0].value);
      if (is_builtin(name, {Builtin::Hasattr, Builtin::Getattr}) && arguments.size() > 1 &&
          f_.exprs[arguments[1].value].kind == ExprKind::String)
        return text_.text(f_.exprs[arguments[1].value].symbol);
    }
    return {};
  }

  bool is_local(Symbol name) const {
    if (std::find(f_.globals.begin(), f_.globals.end(), name) != f_.globals.end()) return false;
    if (std::any_of(f_.parameters.begin(), f_.parameters.end(), [&](const ir::Parameter& p) { return p.name == name; }))
      return true;
    for (const ir::Block& block : f_.blocks)
      for (const ir::Instruction& i : block.instructions)
        if (i.target.valid() && f_.exprs[i.target].kind == ExprKind::Name && f_.exprs[i.target].symbol == name)
          return true;
    return false;
  }

  // A getter: what it keeps is what it is asked for, or what it fills on the way where the place is a note that it has
  // (`if (!updated) compute(); return total;`). Work that leaves a mark only is not asked for by everyone.
  bool hands_out(std::string_view place, ir::BlockId filling) const {
    const auto is_kept = [&](ir::ExprId e) {
      const ir::Expr& expr = f_.exprs[e];
      if (expr.kind != ExprKind::Name && expr.kind != ExprKind::Attribute) return false;
      const std::string_view name = text_.text(expr.symbol);
      return name == place || (expr.kind == ExprKind::Attribute && fills(filling, name));
    };
    return std::ranges::any_of(f_.blocks, [&](const ir::Block& block) {
      return block.terminator.kind == ir::TerminatorKind::Return && block.terminator.value.valid() &&
             ir::any_part(f_, block.terminator.value, is_kept);
    });
  }

  bool fills(ir::BlockId side, std::string_view place) const {
    for (ir::BlockId b : summary_.graph().order()) {
      if (!summary_.graph().dominates(side, b)) continue;
      for (const ir::Instruction& i : f_.blocks[b].instructions)
        if (puts_into(f_, i, place) || (i.kind == ir::InstructionKind::Call && sets_global(i.value, place)))
          return true;
    }
    return false;
  }

  // `x = ...`, `o.x = ...`, `x[k] = ...`.
  bool puts_into(const ir::Function& f, const ir::Instruction& i, std::string_view place) const {
    if (!i.target.valid() || i.kind == ir::InstructionKind::Delete) return false;
    ir::ExprId target = i.target;
    if (f.exprs[target].kind == ExprKind::Subscript) target = ir::children(f, target)[0];
    const ir::ExprKind kind = f.exprs[target].kind;
    return (kind == ExprKind::Name || kind == ExprKind::Attribute) && text_.text(f.exprs[target].symbol) == place;
  }

  bool sets_global(ir::ExprId callee, std::string_view place) const {
    const Entity entity = index_.resolve(module_, f_, callee);
    if (entity.kind != Entity::Kind::Function || index_.functions()[entity.function].module != module_) return false;
    const ir::Function& other = index_.function(entity.function);
    return std::any_of(other.blocks.begin(), other.blocks.end(), [&](const ir::Block& block) {
      return std::any_of(block.instructions.begin(), block.instructions.end(),
                         [&](const ir::Instruction& i) { return puts_into(other, i, place); });
    });
  }

  const ProjectIndex& index_;
  const Roles& roles_;
  const Summary& summary_;
  const ir::Function& f_;
  const ModuleKey module_;
  const ir::Module& text_;
  const ir::BlockId branch_;
};

}  // namespace

std::optional<uint32_t> filling_side(const ProjectIndex& index, const Roles& roles, const Summary& summary,
                                     ir::BlockId branch) {
  return Lazy(index, roles, summary, branch).side();
}

}  // namespace ranklint
