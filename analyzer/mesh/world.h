// A small concrete world in which conditions over ranks are evaluated.
//
// Every axis that a function's conditions or groups name gets two ranks, and so does the rest of the world, so
// that "all ranks of this group" and "all ranks" differ. Four ranks when no axis is named: enough to distinguish first,
// last, even, odd and "the others". More where a condition needs more: `tp_rank < 2` must not hold for all.
// Global ranks count through the mesh with the last axis fastest.
// A node holds half of the world, so a local rank of 0 occurs twice.
#pragma once

#include <cstdint>
#include <map>
#include <set>
#include <vector>

#include "analyzer/mesh/axes.h"

namespace ranklint {

struct WorldNeeds {
  std::map<Axis, uint32_t> along = {};  // ranks along an axis
  uint32_t ranks = 0;                   // in all
  uint32_t large = 0;                   // in all, where a small world has too few: `rank < 32`, `size >= 8`
  uint32_t questions = 0;               // how many conditions ask
  bool tests_last_rank = false;         // and one of them for how many ranks there are
  std::set<uint32_t> sizes = {};        // numbers of ranks that a condition names: `size == 8`; the smallest ones

  void add(const WorldNeeds& other);
  // A last rank is an even or an odd one, a second or a third: one world shows one of these only.
  bool depends_on_size() const { return tests_last_rank && questions > 1; }
};

class World {
 public:
  // Of more than `kMostAxes` axes only the first are distinguished; the rest share the outer dimension.
  static constexpr size_t kMostAxes = 3;

  static constexpr uint32_t kMostAlong = 4, kMostRanks = 18;
  static constexpr uint32_t kMostFlatRanks = 130;  // of a large one, whose ranks only their numbers distinguish
  static constexpr size_t kMostSizes = 2;          // that are compared because conditions name them
  explicit World(const AxisSet& named, const WorldNeeds& needs = {});

  // Ranks that only their numbers distinguish.
  static World flat(uint32_t ranks);

  // An axis of groups that were made by colour: the ranks of one colour form a group, in the order of their numbers;
  // those of kInNoGroup are in none. `colours` has an entry per rank.
  static constexpr int64_t kInNoGroup = -1;
  void split(const Axis& axis, std::vector<int64_t> colours);

  uint32_t size() const { return size_; }
  uint32_t size(const AxisSet& group) const;
  // The rank's number within its group over these axes; -1: it is in none.
  int64_t coordinate(uint32_t rank, const AxisSet& group) const;
  // The ranks that share a group over these axes with `rank`, ascending; the rank alone where it is in none.
  std::vector<uint32_t> members(uint32_t rank, const AxisSet& group) const;

 private:
  uint32_t digit(uint32_t rank, size_t axis) const;
  uint32_t inner() const;                                              // ranks in one mesh of the named axes
  const std::vector<int64_t>* colours_of(const AxisSet& group) const;  // null: not a group made by colour

  std::vector<Axis> axes_;       // slowest first, after the unnamed outermost dimension
  std::vector<uint32_t> sizes_;  // along each
  std::map<Axis, std::vector<int64_t>> colours_;
  uint32_t outer_ = 2;
  uint32_t size_ = 4;
};

}  // namespace ranklint
