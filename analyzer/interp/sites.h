// The calls of functions, and what each may mean, before those that do not matter are left out.
#pragma once

#include <vector>

#include "analyzer/base/compact_vector.h"
#include "analyzer/summary/summary.h"

namespace ranklint {

struct SummarySite {
  uint32_t block = 0;
  const Step* step = nullptr;
  std::vector<Target> targets;
};
// By function, in the order of blocks and steps.
using SitesOfFunctions = std::vector<CompactVector<SummarySite>>;

}  // namespace ranklint
