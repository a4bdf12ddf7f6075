// Whether a path over parts of a term leads to what is wanted:
//
//     h = h + h        # forty times: 41 terms, and 2^40 ways down
//
// Terms share their parts, so each is visited once, however many paths lead to it.
#pragma once

#include <unordered_set>
#include <vector>

#include "analyzer/base/work_limit.h"
#include "analyzer/variance/values.h"

namespace ranklint {

// `look(v, next)`: true where `v` is what is wanted; otherwise it adds to `next` the parts with which to go on.
template <typename Look>
bool leads_to(ValueId from, const Look& look) {
  std::vector<ValueId> work;
  if (look(from, work)) return true;
  if (work.empty()) return false;
  std::unordered_set<uint32_t> seen{from.index};
  while (!work.empty()) {
    const ValueId v = work.back();
    work.pop_back();
    if (!seen.insert(v.index).second) continue;
    charge_work();
    if (look(v, work)) return true;
  }
  return false;
}

inline void add_parts(std::vector<ValueId>& to, std::span<const ValueId> parts) {
  to.insert(to.end(), parts.begin(), parts.end());
}

}  // namespace ranklint
