// Where a repository begins.
#pragma once

#include <string>

namespace ranklint::app {

// The nearest folder from this one (absolute) upwards that holds `.git`; empty: there is none.
std::string repository_around(const std::string& folder);

}  // namespace ranklint::app
