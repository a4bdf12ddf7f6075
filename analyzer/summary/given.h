// What a call gives, as values.
#pragma once

#include <algorithm>

#include "analyzer/summary/summary.h"

namespace ranklint {

// Whether one of the arguments is wanted; those after a star do not count.
template <typename Wanted>
bool gives(const Call& call, Wanted wanted) {
  return std::ranges::any_of(call.positional, wanted) ||
         std::ranges::any_of(call.keywords, [&](const auto& k) { return wanted(k.second); });
}

}  // namespace ranklint
