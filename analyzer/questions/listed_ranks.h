// The ranks that a list of them names: [0, 1], list(range(4)).
#pragma once

#include <cstdint>
#include <optional>
#include <set>

#include "analyzer/summary/query.h"

namespace ranklint {

using ListedRanks = std::set<int64_t>;

constexpr int64_t kMostListedRanks = 64;

// Nothing where a part of the list is unknown, or a range goes beyond kMostListedRanks.
std::optional<ListedRanks> listed_ranks(const Query& query, ValueId list);

}  // namespace ranklint
