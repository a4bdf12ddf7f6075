// What every backend does alike when ranks make a group.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ranklint::runtime {

// Throws RankError{InvalidArgument} unless the ranks lie in the world, each once, and are not none.
void check_new_group(const std::vector<int>& ranks, int world_size);

// all: (color, key) of every rank. The ranks of one colour, by (key, rank).
std::vector<int> ranks_of_color(std::span<const int64_t> all, int color);

}  // namespace ranklint::runtime
