// A header is read once for every file that includes it; each of its functions counts once, where it is met first.
#pragma once

#include <set>
#include <string>
#include <utility>
#include <vector>

#include "analyzer/ir/ir.h"

namespace ranklint {

class MetFunctions {
 public:
  // `modules` are what one file gave, its own first. Of C++, the functions met before lose their bodies, and headers
  // that bring nothing else go: what a project holds then grows with its lines, not with its includes.
  void drop_repeated(std::vector<ir::Module>& modules);

 private:
  std::set<std::pair<std::string, std::string>> met_;  // the path, the qualified name
};

}  // namespace ranklint
