// What a call does to files, as it is written.
#pragma once

#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"

namespace ranklint {

// torch.save(items, path), items.to_csv(path), open(path, "w")
inline bool writes_file(const Query& in, const FunctionCode& code, const ir::Instruction& call) {
  return in.priors().suggest(name_of_callee(code, call), NameMeaning::Writer) ||
         plays(in, code, call, Role::MakesFolder) || plays(in, code, call, Role::FillsFolder) ||
         (plays(in, code, call, Role::ReadsFile) && opens_to_write(code, call));
}

// The path of `os.makedirs(path)` and of `path.mkdir()`. Invalid: it is given none.
inline ir::ExprId path_told(const Query& in, const FunctionCode& code, const ir::Instruction& call) {
  const bool is_method = code.ir.exprs[call.value].kind == ir::ExprKind::Attribute &&
                         !names_library(in.index(), code, ir::children(code.ir, call.value)[0]);
  return is_method ? ir::children(code.ir, call.value)[0] : first_argument(code, call);
}

}  // namespace ranklint
