// Several units, one program: what a unit calls and does not define is looked for in the others.
#pragma once

#include <functional>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "analyzer/machine/program.h"

namespace ranklint::machine {

using Units = std::vector<std::shared_ptr<const Program>>;

// A program for each unit with a `main` that comes to call MPI, with the units that it needs, by their order in
// `units`. One is there at a time: many drivers of one large library take it in whole, each for itself.
void link(const Units& units, const std::function<void(const Program&)>& take);

// Functions that units call and no unit defines, libraries' left out: they say which further units are needed.
std::set<std::string> missing_functions(const Units& units);

}  // namespace ranklint::machine
