// What a call does to files, as it is written.
#pragma once

#include "analyzer/questions/callee.h"

namespace ranklint {

// torch.save(items, path), items.to_csv(path), open(path, "w")
inline bool writes_file(const Query& in, const FunctionCode& code, const ir::Instruction& call) {
  return in.priors().suggest(name_of_callee(code, call), NameMeaning::Writer) ||
         plays(in, code, call, Role::MakesFolder) || plays(in, code, call, Role::FillsFolder) ||
         (plays(in, code, call, Role::ReadsFile) && opens_to_write(code, call));
}

}  // namespace ranklint
