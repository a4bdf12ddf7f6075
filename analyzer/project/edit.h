// Which functions of a file an edit is about: those whose code is another, and those of the file that what changed can
// reach by its name.
//
// Who is called is found out by values, but whoever calls a function, reads an attribute or a variable of the module
// names it somewhere. So a function that names nothing that changed, nor anything that names it in turn, does what it
// did. A function stands for those within it: they are touched together. It goes from who names what changed to who
// names that in turn, as far as a bounded number of expressions goes: what is not reached so waits for the next check
// of all.
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
