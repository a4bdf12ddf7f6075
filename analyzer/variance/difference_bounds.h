// Numbers of which it is known by how much one is at most above another: whether there are such numbers.
//
// A system of difference constraints is satisfiable if and only if its graph has no cycle of negative weight (Bellman
// 1958); all shortest paths by Floyd and Warshall. A bound is strict where the difference is less than it.
#pragma once

#include <cstddef>
#include <vector>

namespace ranklint {

class DifferenceBounds {
 public:
  explicit DifferenceBounds(size_t numbers);

  // `x - y` is at most `bound`, or less than it.
  void add(size_t x, size_t y, double bound, bool is_strict);
  // False: there are no such numbers. To be asked once, before the questions below.
  bool close();
  bool is_at_most(size_t x, size_t y, double bound) const;  // x - y <= bound is known
  // x - y < bound is known, and not only because sums are rounded: 0.1 - 2 + 2 - 0.1 is not 0.
  bool is_less_than(size_t x, size_t y, double bound) const;

 private:
  struct Bound {
    double most;
    bool is_strict = false;
    bool is_below(const Bound& other) const {
      return most < other.most || (most == other.most && is_strict && !other.is_strict);
    }
  };
  double rounding() const;  // how far a sum of bounds may be from what it should be
  Bound& at(size_t x, size_t y) { return bounds_[x * numbers_ + y]; }
  const Bound& at(size_t x, size_t y) const { return bounds_[x * numbers_ + y]; }

  size_t numbers_;
  double largest_ = 0;  // of the bounds that were added, without their signs
  std::vector<Bound> bounds_;
};

}  // namespace ranklint
