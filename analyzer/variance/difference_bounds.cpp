#include "analyzer/variance/difference_bounds.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "analyzer/base/work_limit.h"

namespace ranklint {

DifferenceBounds::DifferenceBounds(size_t numbers)
    : numbers_(numbers), bounds_(numbers * numbers, {std::numeric_limits<double>::infinity()}) {
  for (size_t x = 0; x < numbers; ++x) at(x, x) = {0};
}

void DifferenceBounds::add(size_t x, size_t y, double bound, bool is_strict) {
  if (std::isfinite(bound)) largest_ = std::max(largest_, std::abs(bound));
  // What is less than itself by a rounding would be so by more each time round.
  const Bound added{x == y && bound < 0 && bound >= -rounding() ? 0 : bound, is_strict};
  if (added.is_below(at(x, y))) at(x, y) = added;
}

bool DifferenceBounds::close() {
  charge_work(numbers_ * numbers_);
  for (size_t over = 0; over < numbers_; ++over)
    for (size_t x = 0; x < numbers_; ++x)
      for (size_t y = 0; y < numbers_; ++y) {
        const Bound &first = at(x, over), &second = at(over, y);
        add(x, y, first.most + second.most, first.is_strict || second.is_strict);
      }
  for (size_t x = 0; x < numbers_; ++x)
    if (is_less_than(x, x, 0)) return false;
  return true;
}

bool DifferenceBounds::is_at_most(size_t x, size_t y, double bound) const { return at(x, y).most <= bound; }

// A way has as many sums as there are numbers, none of which is larger than that many of the largest bound.
double DifferenceBounds::rounding() const {
  const double count = static_cast<double>(numbers_);
  return count * count * largest_ * std::numeric_limits<double>::epsilon();
}

bool DifferenceBounds::is_less_than(size_t x, size_t y, double bound) const {
  const Bound& known = at(x, y);
  return known.most < bound - rounding() || (known.most == bound && known.is_strict);
}

}  // namespace ranklint
