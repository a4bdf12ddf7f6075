#include "analyzer/variance/difference_bounds.h"

#include <limits>

#include "analyzer/base/work_limit.h"

namespace ranklint {

DifferenceBounds::DifferenceBounds(size_t numbers)
    : numbers_(numbers), bounds_(numbers * numbers, {std::numeric_limits<double>::infinity()}) {
  for (size_t x = 0; x < numbers; ++x) at(x, x) = {0};
}

void DifferenceBounds::add(size_t x, size_t y, double bound, bool is_strict) {
  const Bound added{bound, is_strict};
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

bool DifferenceBounds::is_less_than(size_t x, size_t y, double bound) const {
  const Bound& known = at(x, y);
  return known.most < bound || (known.most == bound && known.is_strict);
}

}  // namespace ranklint
