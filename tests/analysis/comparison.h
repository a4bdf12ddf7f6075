// The facts that a file states against those that the analysis produces.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "tests/analysis/produced.h"

namespace ranklint::test {

using FactsByLine = std::map<uint32_t, std::vector<Fact>>;

// In their order, each once on its line.
FactsByLine by_line(const std::vector<Fact>& facts);

// With a `;` between two. Those that need not be stated only where `defaults` says so.
std::string joined(const std::vector<Fact>& facts, bool defaults);

// A line for each fact that is stated and not produced, and for each that is produced and not stated although it has to
// be.
std::vector<std::string> differences(const std::string& path, const std::vector<StatedFact>& stated,
                                     const FactsByLine& produced);

}  // namespace ranklint::test
