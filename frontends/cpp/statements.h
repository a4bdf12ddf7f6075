// Every statement below a statement, expressions and the bodies of lambdas included, in the order of the source.
//
// The one instance of Clang's visitor for this: each costs several seconds to compile.
#pragma once

#include <clang/AST/Stmt.h>
#include <llvm/ADT/STLFunctionalExtras.h>

namespace ranklint::cpp {

enum class Walk { Into, Over, Stop };

// Calls `visit` for the statement and for all below it, parents first; a null statement has none. `Over` leaves out
// what is below the one that was visited. False: `Stop` was returned, and nothing was visited after it.
bool walk_statements(const clang::Stmt* statement, llvm::function_ref<Walk(clang::Stmt&)> visit);

}  // namespace ranklint::cpp
