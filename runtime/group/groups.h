// What every backend does alike with the ranks of a group.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace ranklint::runtime {

// The place of a global rank among the members; -1 when it is none.
int member_of(std::span<const int> ranks, int rank);

// Throws RankError{InvalidArgument} unless the ranks lie in the world, each once, and are not none.
void check_new_group(const std::vector<int>& ranks, int world_size);

// all: (color, key) of every rank. The ranks of one colour, by (key, rank).
std::vector<int> ranks_of_color(std::span<const int64_t> all, int color);

}  // namespace ranklint::runtime
