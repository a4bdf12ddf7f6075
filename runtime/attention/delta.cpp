// delta, the part of the softmax's gradient that is common to a row: sum over c of dO * O, from the FINAL output.
#include <algorithm>
#include <array>

#include "runtime/attention/attention.h"
#include "runtime/attention/pack.h"
#include "runtime/attention/parallel.h"
#include "runtime/attention/prepare.h"
#include "runtime/attention/workspace.h"

namespace ranklint::runtime {

namespace {

constexpr int64_t kTokens = 32;  // of a piece of work

// Several sums, so that an addition need not wait for the one before it.
double dot(const float* a, const float* b, int64_t count) {
  std::array<double, 8> sums{};
  int64_t c = 0;
  for (; c + 8 <= count; c += 8)
    for (int64_t i = 0; i < 8; ++i) sums[static_cast<size_t>(i)] += static_cast<double>(a[c + i]) * b[c + i];
  for (; c < count; ++c) sums[0] += static_cast<double>(a[c]) * b[c];
  double sum = 0;
  for (double each : sums) sum += each;
  return sum;
}

double dot_of_rows(const HeadRows& a, const HeadRows& b, int64_t row) {
  std::array<float, kConverted> a_scratch, b_scratch;
  double sum = 0;
  for (int64_t c = 0; c < a.head_dim; c += kConverted) {
    const int64_t count = std::min(kConverted, a.head_dim - c);
    sum += dot(columns_of(a, row, c, count, a_scratch.data()), columns_of(b, row, c, count, b_scratch.data()), count);
  }
  return sum;
}

}  // namespace

ParallelStep delta_step(const Tensor& dout, const Tensor& out, const Tensor& delta) {
  const int64_t length = out.size(1), heads = out.size(2), chunks = (length + kTokens - 1) / kTokens;
  return {out.size(0) * chunks, [&dout, &out, &delta, length, heads, chunks](int, int64_t i) {
    const int64_t row = i / chunks, begin = i % chunks * kTokens, end = std::min(length, begin + kTokens);
    for (int64_t head = 0; head < heads; ++head) {
      const HeadRows a = head_rows(dout, row, head), b = head_rows(out, row, head);
      float* to = delta.as<float>().data() + (row * heads + head) * length;
      for (int64_t token = begin; token < end; ++token) to[token] = static_cast<float>(dot_of_rows(a, b, token));
    }
  }};
}

Tensor attention_delta(const Tensor& dout, const Tensor& out, const AttentionOptions& options) {
  check_shape("dout", dout, out.shape());
  const Tensor delta = empty_from(options.workspace.get(), {out.size(0), out.size(2), out.size(1)});
  const ParallelStep step = delta_step(dout, out, delta);
  parallel_steps(options.threads, {&step, 1});
  return delta;
}

}  // namespace ranklint::runtime
