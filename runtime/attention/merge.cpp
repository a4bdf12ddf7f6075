#include "runtime/attention/merge.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace ranklint::runtime {

namespace {

constexpr double kNothing = -std::numeric_limits<double>::infinity();

double joined(double a, double b) {
  const double top = std::max(a, b);
  return top == kNothing ? kNothing : top + std::log(std::exp(a - top) + std::exp(b - top));
}

}  // namespace

void merge_into(const AttentionOutput& into, const AttentionOutput& block) {
  const int64_t batch = into.out.size(0), length = into.out.size(1), heads = into.out.size(2), head_dim = into.out.size(3);
  float* out = into.out.as<float>().data();
  const float* other = block.out.as<float>().data();
  for (int64_t row = 0; row < batch * length * heads; ++row, out += head_dim, other += head_dim) {
    const int64_t head = row % heads, at = row / heads;
    const auto stat = static_cast<size_t>((at / length * heads + head) * length + at % length);
    double& lse = into.lse.as<double>()[stat];
    const double block_lse = block.lse.as<double>()[stat];
    if (block_lse == kNothing) continue;
    const double whole = joined(lse, block_lse);
    const auto keep = static_cast<float>(std::exp(lse - whole)), add = static_cast<float>(std::exp(block_lse - whole));
    for (int64_t c = 0; c < head_dim; ++c) out[c] = out[c] * keep + other[c] * add;
    lse = whole;
  }
}

}  // namespace ranklint::runtime
