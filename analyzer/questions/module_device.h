// On which device a module lies where it is wrapped, as far as the functions on the way say.
#pragma once

#include "analyzer/questions/handed_over.h"
#include "analyzer/questions/module_moves.h"

namespace ranklint {

struct ModuleOrigin {
  Where where = Where::Unknown;
  FunctionKey made_in;  // Host, Meta: by which call
  SourceRange made_at;
};

// Of the module that `e` names at the last link of the way, looked for outwards along it.
ModuleOrigin module_origin(const Query& query, const std::vector<Link>& way, ir::ExprId e);

}  // namespace ranklint
