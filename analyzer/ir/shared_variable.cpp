#include "analyzer/ir/shared_variable.h"

#include <algorithm>

namespace ranklint {

bool is_shared_variable(const ir::Module& module, const ir::Function& function,
                        const std::function<bool(Symbol)>& wanted) {
  if (std::ranges::any_of(function.globals, wanted) || std::ranges::any_of(function.nonlocals, wanted)) return true;
  return std::ranges::any_of(module.functions, [&](const ir::Function& f) {
    if (!f.parent.valid() || &module.functions[f.parent] != &function) return false;
    for (uint32_t e = 0; e < f.exprs.size(); ++e)
      if (const ir::Expr& expr = f.exprs[ir::ExprId{e}]; expr.kind == ir::ExprKind::Name && wanted(expr.symbol))
        return true;
    return false;
  });
}

}  // namespace ranklint
