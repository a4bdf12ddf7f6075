#include "runtime/group/groups.h"

#include <algorithm>
#include <string>

#include "runtime/base/error.h"

namespace ranklint::runtime {

int member_of(std::span<const int> ranks, int rank) {
  const auto found = std::find(ranks.begin(), ranks.end(), rank);
  return found == ranks.end() ? -1 : static_cast<int>(found - ranks.begin());
}

void check_new_group(const std::vector<int>& ranks, int world_size) {
  if (ranks.empty()) fail(ErrorKind::InvalidArgument, "new_group: a group needs a member");
  for (size_t i = 0; i < ranks.size(); ++i) {
    const std::string rank = "rank " + std::to_string(ranks[i]);
    if (ranks[i] < 0 || ranks[i] >= world_size)
      fail(ErrorKind::InvalidArgument, "new_group: no " + rank + " in a world of " + std::to_string(world_size));
    if (std::find(ranks.begin(), ranks.begin() + static_cast<std::ptrdiff_t>(i), ranks[i]) !=
        ranks.begin() + static_cast<std::ptrdiff_t>(i))
      fail(ErrorKind::InvalidArgument, "new_group: " + rank + " is named twice");
  }
}

std::vector<int> ranks_of_color(std::span<const int64_t> all, int color) {
  std::vector<int> ranks;
  for (size_t rank = 0; rank < all.size() / 2; ++rank)
    if (all[2 * rank] == color) ranks.push_back(static_cast<int>(rank));
  std::stable_sort(ranks.begin(), ranks.end(), [&](int a, int b) {
    return all[2 * static_cast<size_t>(a) + 1] < all[2 * static_cast<size_t>(b) + 1];
  });
  return ranks;
}

}  // namespace ranklint::runtime
