// Files as a witness names them: in few words, and unambiguously.
#pragma once

#include <map>
#include <string>

#include "rules/finding.h"

namespace ranklint::report {

// For each path of the witness the shortest tail that no other path shares; "__init__.py" alone says nothing, so
// such files keep their folder.
std::map<std::string, std::string> short_names(const Witness& witness);

}  // namespace ranklint::report
