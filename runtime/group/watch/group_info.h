// What is fixed about a group for as long as its world lives.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ranklint::runtime {

struct GroupInfo {
  uint64_t id = 0;  // 0: the world, then in order of creation
  std::string name;
  std::vector<int> ranks;  // global rank of each member
  // Who makes a rank's calls, as the watchdog counts: the rank itself, or its queue (one_queue.h).
  int first_seat = 0;

  size_t size() const { return ranks.size(); }
  int seat(int member) const { return first_seat + ranks[static_cast<size_t>(member)]; }
  int global_rank(int member) const { return member < 0 ? -1 : ranks[static_cast<size_t>(member)]; }
};

}  // namespace ranklint::runtime
