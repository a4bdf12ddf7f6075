// How many elements, and how they lie: the arithmetic of row-major shapes.
//
// Around one dimension d, an array is `outer` blocks of shape[d] rows of `inner` elements each; every rearrangement
// along d (narrow, cat, chunk) moves whole runs of such rows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ranklint::runtime {

using Shape = std::vector<int64_t>;

int64_t numel_of(const Shape& shape);       // throws RankError for a negative size or a product beyond 2^63
std::string to_string(const Shape& shape);  // "[4, 2]"
uint32_t shape_hash(const Shape& shape);    // FNV-1a (Fowler, Noll, Vo) of whole sizes, folded; never 0

// `dimension` counted from the front; negative counts from the end. Throws RankError outside of the shape.
int64_t normalized_dimension(int64_t dimension, const Shape& shape);

struct Around {
  int64_t outer = 1;
  int64_t inner = 1;
};
Around around(const Shape& shape, int64_t dimension);

constexpr int64_t ceil_div(int64_t n, int64_t by) { return n / by + (n % by != 0); }

}  // namespace ranklint::runtime
