#include "analyzer/program/given_for.h"

#include <algorithm>

namespace ranklint {

ir::ExprId given_for(const ir::Function& f, const ir::Module& module, const ir::Instruction& call, int position,
                     std::string_view keyword) {
  int at = 0;
  for (const ir::Argument& a : ir::arguments(f, call)) {
    if (a.kind == ir::ArgumentKind::Keyword && module.text(a.keyword) == keyword) return a.value;
    if (a.kind == ir::ArgumentKind::Positional && at++ == position) return a.value;
  }
  return {};
}

bool gives_more(const ir::Function& f, const ir::Instruction& call) {
  return std::ranges::any_of(ir::arguments(f, call), [](const ir::Argument& a) {
    return a.kind == ir::ArgumentKind::Star || a.kind == ir::ArgumentKind::DoubleStar;
  });
}

}  // namespace ranklint
