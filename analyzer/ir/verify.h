// The invariants of the IR, which docs/ir.md lists. A frontend's module and each transformation's is checked.
#pragma once

#include <string>
#include <vector>

#include "analyzer/ir/ir.h"

namespace ranklint::ir {

// What is wrong, in the order of the module; empty for a sound one. Each message names its function, block and
// instruction: "`f`, ^entry, instruction 2: the target is no place". Any module is acceptable, whatever its ids.
std::vector<std::string> verify(const Module& module);

}  // namespace ranklint::ir
