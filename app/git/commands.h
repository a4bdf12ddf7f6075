// The compile commands of the work tree, for another state of its sources.
//
// compile_commands.json speaks of the files on disk. In the other state a source and what it includes from the project
// are that state's, so every path that lies in the work tree and is there as well is moved; what is not (the build
// folder, what a build wrote) stays.
#pragma once

#include "app/git/git.h"

namespace ranklint::app {

// Writes them to `tree.folder`; `named`: what the user named, or "". False where the work tree has none at its top or
// in `build`. One that can't be read counts as none: the check of what is on disk reports it.
bool bring_compile_commands(const SourceTree& tree, const std::string& named);

}  // namespace ranklint::app
