// What a call does to files, as it is written.
#pragma once

#include <string_view>

#include "analyzer/questions/callee.h"

namespace ranklint {

inline std::string_view called_name(const FunctionCode& code, const ir::Instruction& call) {
  const ir::Expr& callee = code.ir.exprs[call.value];
  return callee.kind == ir::ExprKind::Attribute || callee.kind == ir::ExprKind::Name ? code.text.text(callee.symbol)
                                                                                     : std::string_view();
}

// torch.save(items, path), items.to_csv(path), open(path, "w")
inline bool writes_file(const Query& in, const FunctionCode& code, const ir::Instruction& call) {
  return in.priors().suggest(called_name(code, call), NameMeaning::Writer) ||
         plays(in, code, call, Role::MakesFolder) || plays(in, code, call, Role::FillsFolder) ||
         (plays(in, code, call, Role::ReadsFile) && opens_to_write(code, call));
}

}  // namespace ranklint
