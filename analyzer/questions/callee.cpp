#include "analyzer/questions/callee.h"

#include <algorithm>

namespace ranklint {

bool opens_to_write(const FunctionCode& code, const ir::Instruction& call) {
  constexpr size_t kLongestMode = 3;  // "wb+"
  return std::ranges::any_of(ir::arguments(code.ir, call), [&](const ir::Argument& a) {
    if (code.ir.exprs[a.value].kind != ir::ExprKind::String) return false;
    const std::string_view mode = code.text.text(code.ir.exprs[a.value].symbol);
    return mode.size() <= kLongestMode && mode.find_first_of("wax") != mode.npos;
  });
}

}  // namespace ranklint
