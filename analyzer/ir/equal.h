// Whether two modules say the same, regardless of the numbers of their symbols and the layout of their pools.
#pragma once

#include <string>

#include "analyzer/ir/ir.h"

namespace ranklint::ir {

// Empty when they are the same, else the first place where they differ: "function f, ^entry, instruction 2".
// Both must be modules that ir::verify accepts.
std::string difference(const Module& a, const Module& b);

// Whether two expressions of one function are the same tree, as those of an EnterWith and its ExitWith are.
bool same_tree(const Function& function, ExprId a, ExprId b);

}  // namespace ranklint::ir
