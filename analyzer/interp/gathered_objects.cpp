// Whether there is anything of what is then gathered as an object:
//
//     if not failures: return                    # on this rank
//     dist.all_gather_object(everywhere, failures)
//
// Objects are gathered because each rank has its own. Then whether a rank has any at all is its own as well, and who
// leaves over it leaves the others in the gather. Read off the text of one function: a name is handed to a gather of
// objects as what this rank gives, and is asked by itself or by its length.
#include <algorithm>

#include "analyzer/interp/function_run.h"

namespace ranklint {
namespace {

// The position of what a rank gives.
int given_to(std::string_view function) {
  if (function == "all_gather_object") return 1;
  return function == "gather_object" ? 0 : -1;
}

std::set<Symbol> gathered_objects(const ir::Module& module, const ir::Function& f) {
  std::set<Symbol> out;
  for (uint32_t b = 0; b < f.blocks.size(); ++b)
    for (const ir::Instruction& i : f.blocks[ir::BlockId{b}].instructions) {
      if (i.kind != ir::InstructionKind::Call) continue;
      const ir::Expr& callee = f.exprs[i.value];
      if (callee.kind != ir::ExprKind::Name && callee.kind != ir::ExprKind::Attribute) continue;
      const int position = given_to(module.text(callee.symbol));
      const auto arguments = ir::arguments(f, i);
      if (position < 0 || arguments.size() <= static_cast<size_t>(position)) continue;
      const ir::Argument& given = arguments[static_cast<size_t>(position)];
      if (given.value.valid() && !given.keyword.valid() && f.exprs[given.value].kind == ir::ExprKind::Name)
        out.insert(f.exprs[given.value].symbol);
    }
  return out;
}

}  // namespace

bool FunctionRun::is_gathered_object(ir::ExprId e) {
  if (!e.valid() || f_.exprs[e].kind != ir::ExprKind::Name) return false;
  if (!gathered_) gathered_ = gathered_objects(ir_, f_);
  return gathered_->count(f_.exprs[e].symbol) != 0;
}

// `if names:`, `if not names:`. Invalid: the branch asks nothing of the kind.
ValueId FunctionRun::asked_of_gathered(ir::ExprId condition) {
  const ir::Expr& e = f_.exprs[condition];
  if (e.kind == ir::ExprKind::Unary && e.op == ir::Operator::Not) {
    const ValueId asked = asked_of_gathered(ir::children(f_, condition)[0]);
    return asked.valid() ? values_.unary(ir::Operator::Not, asked) : ValueId{};
  }
  if (!is_gathered_object(condition)) return {};
  return values_.binary(ir::Operator::Greater, values_.batch(here().index), values_.integer(0));
}

}  // namespace ranklint
