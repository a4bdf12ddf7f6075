// Variables that more than one function reads or writes.
#pragma once

#include <functional>

#include "analyzer/ir/ir.h"

namespace ranklint {

// Whether others share a variable of the function: the module, a function around it, or one inside of it that names it.
// `wanted`: which variable.
bool is_shared_variable(const ir::Module& module, const ir::Function& function,
                        const std::function<bool(Symbol)>& wanted);

}  // namespace ranklint
