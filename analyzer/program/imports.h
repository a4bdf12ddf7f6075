// Which files of the project a file runs besides its own, by its imports.
#pragma once

#include <set>
#include <vector>

#include "analyzer/resolve/index.h"

namespace ranklint {

// The modules of the project that the module imports itself, in the order of its text; one may come twice.
std::vector<ModuleKey> imported_modules(const ProjectIndex& index, ModuleKey module);

// The module, all that it imports, and all that these import in turn.
std::set<ModuleKey> modules_reached(const ProjectIndex& index, ModuleKey module);

// The same by how many imports lead there at least: the module alone, what it imports, what these import besides.
std::vector<std::set<ModuleKey>> modules_by_distance(const ProjectIndex& index, ModuleKey module);

}  // namespace ranklint
