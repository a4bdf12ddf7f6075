// Which functions of a file an edit affects: those whose code differs, and those of the file that the change can reach
// by its name.
//
// Callees are resolved by values, but a function that calls another, or reads an attribute or a variable of the module,
// names it somewhere. So a function that names nothing that changed, nor anything that names it in turn, does what it
// did. A function stands for those within it: they are affected together. The search goes from functions that name what
// changed to those that name these in turn, up to a bounded number of expressions: what it does not reach waits for the
// next check of all.
//
// A class whose bases change is another for all its methods.
#pragma once

#include <vector>

#include "analyzer/ir/ir.h"

namespace ranklint {

struct Touched {
  std::vector<bool> before, now;  // by FunctionId of either module
};

// Two states of one file. Every function that is not touched has one of its qualified name that is as many-th of it in
// the other, with the same code.
Touched touched_by_edit(const ir::Module& before, const ir::Module& now);

// The functions by qualified name and by how many of that name stand before.
using FunctionNumbers = std::vector<std::pair<Symbol, uint32_t>>;
FunctionNumbers numbered(const ir::Module& module);

}  // namespace ranklint
