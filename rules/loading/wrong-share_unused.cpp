#include "rules/loading/wrong-share_unused.h"

#include <algorithm>

namespace ranklint::wrong_share {
namespace {

// The variable that is given what the call makes, and nothing else is. Invalid: it goes elsewhere, too.
Symbol only_holder(const FunctionCode& code, ProgramPoint call) {
  const auto named = [&](ir::ExprId e) {
    return e.valid() && code.ir.exprs[e].kind == ir::ExprKind::Name ? code.ir.exprs[e].symbol : Symbol();
  };
  const Symbol made = named(code.instruction(call).target);
  if (!made.valid() || !SymbolTable::is_temporary(made)) return made;
  Symbol holder;
  for (const ir::Block& block : code.ir.blocks) {
    if (code.reads(block.terminator, made)) return {};
    for (const ir::Instruction& i : block.instructions) {
      if (!code.reads(i, made)) continue;
      const bool keeps = i.kind == ir::InstructionKind::Assign && named(i.value) == made && named(i.target).valid();
      if (!keeps || holder.valid()) return {};
      holder = named(i.target);
    }
  }
  return holder;
}

class Uses {
 public:
  Uses(const Query& in, const FunctionCode& code, ProgramPoint call, Symbol holder)
      : in_(in), code_(code), call_(call), holder_(holder) {}

  bool any() const {
    for (ir::BlockId b{0}; b.index < code_.ir.blocks.size(); ++b.index) {
      const ir::Block& block = code_.ir.blocks[b];
      const auto count = static_cast<uint32_t>(block.instructions.size());
      for (uint32_t i = 0; i < count; ++i)
        if (is_use(block.instructions[i]) && comes_from_call({b, i})) return true;
      const bool asks = block.terminator.kind == ir::TerminatorKind::Branch;
      if (!asks && code_.reads(block.terminator, holder_) && comes_from_call({b, count})) return true;
    }
    return is_read_elsewhere();
  }

 private:
  // More than that it is told the epoch, or asked whether it is there.
  bool is_use(const ir::Instruction& i) const {
    if (!code_.reads(i, holder_)) return false;
    const bool is_handed =
        std::ranges::any_of(ir::arguments(code_.ir, i), [&](const ir::Argument& a) { return is_taken(a.value); });
    const bool is_target = i.target.valid() && !code_.defines(i, holder_) && code_.mentions(i.target, holder_);
    return is_handed || is_target || (i.value.valid() && is_taken(i.value) && !tells_epoch(i));
  }

  bool tells_epoch(const ir::Instruction& i) const {
    return i.kind == ir::InstructionKind::Call && code_.ir.exprs[i.value].kind == ir::ExprKind::Attribute &&
           in_.roles().play("." + std::string(code_.text.text(code_.ir.exprs[i.value].symbol)), Role::SetsEpoch);
  }

  // Not only asked whether it is there: `sampler is None`, `a if sampler else b`.
  bool is_taken(ir::ExprId e) const {
    const ir::Expr& expr = code_.ir.exprs[e];
    const auto children = ir::children(code_.ir, e);
    if (expr.kind == ir::ExprKind::Name) return expr.symbol == holder_;
    const bool asks = expr.op == ir::Operator::Is || expr.op == ir::Operator::IsNot || expr.op == ir::Operator::Not ||
                      expr.kind == ir::ExprKind::Conditional;
    return std::ranges::any_of(children, [&](ir::ExprId child) {
      const bool is_asked = asks && code_.ir.exprs[child].kind == ir::ExprKind::Name &&
                            (expr.kind != ir::ExprKind::Conditional || child == children[0]);
      return !is_asked && is_taken(child);
    });
  }

  bool comes_from_call(ProgramPoint at) const {
    const Reaching reaching = code_.reaching(holder_, at);
    return std::ranges::any_of(reaching.definitions, [&](const Definition& d) {
      return !d.direct || !d.instruction || holds_call(*d.instruction);
    });
  }

  bool holds_call(const ir::Instruction& given) const {
    const ir::Instruction& made = code_.instruction(call_);
    if (&given == &made) return true;
    return given.kind != ir::InstructionKind::Call && made.target.valid() &&
           code_.reads(given, code_.ir.exprs[made.target].symbol);
  }

  // By functions within it, which see the variable where they have none of that name, and by those around it.
  bool is_read_elsewhere() const {
    const ProjectIndex& index = in_.index();
    const Symbol name = index.name(code_.module, holder_);
    for (ir::FunctionId id{0}; id.index < code_.text.functions.size(); ++id.index) {
      const FunctionKey f = index.key(code_.module, id);
      const bool mentions =
          std::ranges::any_of(index.function(f).exprs, [&](const ir::Expr& e) { return e.symbol == holder_; });
      if (mentions && lies_within(f) && !bound_names(index, f).contains(name)) return true;
    }
    const auto declares = [&](const auto& names) { return std::ranges::find(names, holder_) != names.end(); };
    return declares(code_.ir.globals) || declares(code_.ir.nonlocals);
  }

  bool lies_within(FunctionKey f) const {
    do f = in_.index().functions()[f].parent;
    while (f.valid() && f != code_.key);
    return f.valid();
  }

  const Query& in_;
  const FunctionCode& code_;
  ProgramPoint call_;
  Symbol holder_;
};

}  // namespace

bool is_for_nobody(const Query& in, const FunctionCode& code, ProgramPoint call) {
  const Symbol holder = only_holder(code, call);
  return holder.valid() && !SymbolTable::is_temporary(holder) && !Uses(in, code, call, holder).any();
}

}  // namespace ranklint::wrong_share
