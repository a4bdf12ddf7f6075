#include "analyzer/questions/callee.h"

#include <algorithm>

namespace ranklint {

bool calls_method(const FunctionCode& code, const ir::Instruction& call, std::string_view name) {
  if (call.kind != ir::InstructionKind::Call) return false;
  const ir::Expr& callee = code.ir.exprs[call.value];
  return callee.kind == ir::ExprKind::Attribute && code.text.text(callee.symbol) == name;
}

bool names_one(const FunctionCode& code, std::initializer_list<std::string_view> names) {
  for (uint32_t e = 0; e < code.ir.exprs.size(); ++e) {
    const ir::Expr& expr = code.ir.exprs[ir::ExprId{e}];
    if (expr.kind != ir::ExprKind::Attribute && expr.kind != ir::ExprKind::Name) continue;
    if (std::ranges::find(names, code.text.text(expr.symbol)) != names.end()) return true;
  }
  return false;
}

bool opens_to_write(const FunctionCode& code, const ir::Instruction& call) {
  constexpr size_t kLongestMode = 3;  // "wb+"
  return std::ranges::any_of(ir::arguments(code.ir, call), [&](const ir::Argument& a) {
    if (code.ir.exprs[a.value].kind != ir::ExprKind::String) return false;
    const std::string_view mode = code.text.text(code.ir.exprs[a.value].symbol);
    return mode.size() <= kLongestMode && mode.find_first_of("wax") != mode.npos;
  });
}

}  // namespace ranklint
