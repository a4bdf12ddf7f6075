// Attention as one writes it over a fast sgemm, oneDNN's: the peer.
#include <dnnl.h>

#include <algorithm>
#include <atomic>
#include <bit>
#include <cmath>
#include <limits>
#include <memory>
#include <thread>

#include "bench/attention/candidate.h"

// Of libgomp, which oneDNN runs on. Its header comes with one compiler only.
extern "C" void omp_set_num_threads(int);

namespace ranklint::bench {

namespace {

constexpr int kQueries = 128, kKeys = 512;  // of a tile

// A problem and its results, [heads, length, head_dim] each. Of a problem in bfloat16 it holds the inputs as they are
// stored too: each run makes them f32 again.
struct Output {
  explicit Output(const Problem& p)
      : problem(p),
        elements(p.q.size()),
        rows(static_cast<size_t>(p.heads) * static_cast<size_t>(p.length)),
        scale(1 / std::sqrt(static_cast<float>(p.head_dim))),
        out(elements),
        dq(elements),
        dk(elements),
        dv(elements),
        lse(rows) {
    for (const std::vector<float>* values : {&p.q, &p.k, &p.v, &p.dout})
      if (p.bf16) stored.push_back(halves_of(*values));
  }
  static std::vector<uint16_t> halves_of(const std::vector<float>& values) {
    std::vector<uint16_t> halves(values.size());
    for (size_t i = 0; i < values.size(); ++i)
      halves[i] = static_cast<uint16_t>(std::bit_cast<uint32_t>(values[i]) >> 16);
    return halves;
  }
  size_t at(int head, int row) const {
    return (static_cast<size_t>(head) * static_cast<size_t>(problem.length) + static_cast<size_t>(row)) *
           static_cast<size_t>(problem.head_dim);
  }
  size_t row(int head, int query) const {
    return static_cast<size_t>(head) * static_cast<size_t>(problem.length) + static_cast<size_t>(query);
  }
  Problem problem;
  size_t elements, rows;
  float scale;
  std::vector<float> out, dq, dk, dv, lse;
  std::vector<std::vector<uint16_t>> stored;  // q, k, v, dout
};

void gemm(bool turn_a, bool turn_b, int m, int n, int k, float alpha, const float* a, int lda, const float* b, int ldb,
          float beta, float* c, int ldc) {
  dnnl_sgemm(turn_a ? 'T' : 'N', turn_b ? 'T' : 'N', m, n, k, alpha, a, lda, b, ldb, beta, c, ldc);
}

// e^x by a polynomial that compilers put into vectors, as any tuned program would.
inline float quick_exp(float x) {
  x = std::max(x, -87.0f) * 1.44269504f;
  const float n = std::nearbyint(x), f = x - n;
  float p = 1.5353258e-4f;
  for (float c : {1.3399004e-3f, 9.6184386e-3f, 5.5503322e-2f, 0.24022648f, 0.6931472f, 1.0f}) p = p * f + c;
  union {
    int32_t bits;
    float value;
  } power{(static_cast<int32_t>(n) + 127) << 23};
  return p * power.value;
}

float exponentials(float* row, int count, float top) {
  float sum = 0;
#pragma omp simd reduction(+ : sum)
  for (int j = 0; j < count; ++j) sum += row[j] = quick_exp(row[j] - top);
  return sum;
}

float largest(const float* row, int count) {
  float top = std::numeric_limits<float>::lowest();
#pragma omp simd reduction(max : top)
  for (int j = 0; j < count; ++j) top = std::max(top, row[j]);
  return top;
}

void scale_row(float* row, int count, float by) {
  for (int j = 0; j < count; ++j) row[j] *= by;
}

int visible(const Problem& p, int query, int first_key, int keys) {
  return p.causal ? std::clamp(query - first_key + 1, 0, keys) : keys;
}

void naive_head(Output& o, int head, float* scores) {
  const Problem& p = o.problem;
  const int n = p.length, d = p.head_dim;
  const size_t at = o.at(head, 0);
  gemm(false, true, n, n, d, o.scale, p.q.data() + at, d, p.k.data() + at, d, 0, scores, n);
  for (int i = 0; i < n; ++i) {
    float* row = scores + static_cast<size_t>(i) * static_cast<size_t>(n);
    const int seen = visible(p, i, 0, n);
    scale_row(row, seen, 1 / exponentials(row, seen, largest(row, seen)));
    std::fill(row + seen, row + n, 0.0f);
  }
  gemm(false, false, n, d, n, 1, scores, n, p.v.data() + at, d, 0, o.out.data() + at, d);
}

void forward_tile(Output& o, int head, int first, float* scores) {
  const Problem& p = o.problem;
  const int queries = std::min(kQueries, p.length - first), d = p.head_dim, end = p.causal ? first + queries : p.length;
  float* out = o.out.data() + o.at(head, first);
  std::vector<float> top(kQueries, std::numeric_limits<float>::lowest()), sum(kQueries, 0.0f);
  for (int key = 0; key < end; key += kKeys) {
    const int keys = std::min(kKeys, end - key);
    gemm(false, true, queries, keys, d, o.scale, p.q.data() + o.at(head, first), d, p.k.data() + o.at(head, key), d, 0,
         scores, kKeys);
    for (int i = 0; i < queries; ++i) {
      float* row = scores + i * kKeys;
      const int seen = visible(p, first + i, key, keys);
      const auto at = static_cast<size_t>(i);
      const float before = top[at];
      if (seen > 0) top[at] = std::max(before, largest(row, seen));
      const float shrink = key == 0 ? 1.0f : std::exp(before - top[at]);
      sum[at] = sum[at] * shrink + exponentials(row, seen, top[at]);
      std::fill(row + seen, row + keys, 0.0f);
      if (key > 0 && shrink != 1.0f) scale_row(out + static_cast<size_t>(i) * static_cast<size_t>(d), d, shrink);
    }
    gemm(false, false, queries, d, keys, 1, scores, kKeys, p.v.data() + o.at(head, key), d, key > 0 ? 1.0f : 0.0f, out,
         d);
  }
  for (int i = 0; i < queries; ++i) {
    scale_row(out + static_cast<size_t>(i) * static_cast<size_t>(d), d, 1 / sum[static_cast<size_t>(i)]);
    o.lse[o.row(head, first + i)] = top[static_cast<size_t>(i)] + std::log(sum[static_cast<size_t>(i)]);
  }
}

void backward_tile(Output& o, int head, int first, int key, int end, const float* delta, float* scores) {
  const Problem& p = o.problem;
  const int queries = std::min(kQueries, p.length - first), keys = std::min(kKeys, end - key), d = p.head_dim;
  const float *q = p.q.data() + o.at(head, first), *dout = p.dout.data() + o.at(head, first);
  const float *k = p.k.data() + o.at(head, key), *v = p.v.data() + o.at(head, key);
  float* gradients = scores + kQueries * kKeys;
  gemm(false, true, queries, keys, d, o.scale, q, d, k, d, 0, scores, kKeys);
  for (int i = 0; i < queries; ++i) {
    const int seen = visible(p, first + i, key, keys);
    exponentials(scores + i * kKeys, seen, o.lse[o.row(head, first + i)]);
    std::fill(scores + i * kKeys + seen, scores + i * kKeys + keys, 0.0f);
  }
  gemm(true, false, keys, d, queries, 1, scores, kKeys, dout, d, 1, o.dv.data() + o.at(head, key), d);
  gemm(false, true, queries, keys, d, 1, dout, d, v, d, 0, gradients, kKeys);
  for (int i = 0; i < queries; ++i)
    for (int j = 0; j < keys; ++j)
      gradients[i * kKeys + j] = scores[i * kKeys + j] * (gradients[i * kKeys + j] - delta[i]) * o.scale;
  gemm(false, false, queries, d, keys, 1, gradients, kKeys, k, d, key > 0 ? 1.0f : 0.0f,
       o.dq.data() + o.at(head, first), d);
  gemm(true, false, keys, d, queries, 1, gradients, kKeys, q, d, 1, o.dk.data() + o.at(head, key), d);
}

void backward_head(Output& o, int head, float* scratch) {
  const Problem& p = o.problem;
  const size_t begin = o.at(head, 0), end = o.at(head + 1, 0);
  std::fill(o.dk.begin() + static_cast<ptrdiff_t>(begin), o.dk.begin() + static_cast<ptrdiff_t>(end), 0.0f);
  std::fill(o.dv.begin() + static_cast<ptrdiff_t>(begin), o.dv.begin() + static_cast<ptrdiff_t>(end), 0.0f);
  float delta[kQueries];
  for (int first = 0; first < p.length; first += kQueries) {
    const int queries = std::min(kQueries, p.length - first), last = p.causal ? first + queries : p.length;
    for (int i = 0; i < queries; ++i) {
      const float *a = o.out.data() + o.at(head, first + i), *b = p.dout.data() + o.at(head, first + i);
      delta[i] = 0;
      for (int c = 0; c < p.head_dim; ++c) delta[i] += a[c] * b[c];
    }
    for (int key = 0; key < last; key += kKeys) backward_tile(o, head, first, key, last, delta, scratch);
  }
}

// sgemm opens a team of OpenMP threads in every thread that calls it, unless told not to.
void parallel(int threads, int count, size_t scratch, const std::function<void(int, float*)>& body) {
  std::atomic<int> next{0};
  const auto work = [&] {
    omp_set_num_threads(1);
    const std::unique_ptr<float[]> memory(new float[scratch]);
    for (int i; (i = next++) < count;) body(i, memory.get());
  };
  std::vector<std::jthread> helpers;
  for (int i = 1; i < threads; ++i) helpers.emplace_back(work);
  work();
}

// The f32 inputs of a run whose inputs are bfloat16: of a forward pass the first three.
void make_f32(Output& o, size_t arrays) {
  Problem& p = o.problem;
  std::vector<float>* const values[] = {&p.q, &p.k, &p.v, &p.dout};
  const size_t each = o.elements / static_cast<size_t>(p.heads);
  if (o.stored.empty()) return;
  parallel(p.threads, p.heads * static_cast<int>(arrays), 0, [&](int i, float*) {
    const uint16_t* from = o.stored[static_cast<size_t>(i / p.heads)].data() + static_cast<size_t>(i % p.heads) * each;
    float* to = values[i / p.heads]->data() + static_cast<size_t>(i % p.heads) * each;
    for (size_t k = 0; k < each; ++k) to[k] = std::bit_cast<float>(static_cast<uint32_t>(from[k]) << 16);
  });
}

void forward(Output& o) {
  const Problem& p = o.problem;
  const int tiles = (p.length + kQueries - 1) / kQueries;
  make_f32(o, 3);
  parallel(p.threads, p.heads * tiles, kQueries * kKeys,
           [&](int i, float* scratch) { forward_tile(o, i % p.heads, (tiles - 1 - i / p.heads) * kQueries, scratch); });
}

double pairs(const Problem& p) {
  return static_cast<double>(p.heads) * p.length * p.length * p.head_dim * (p.causal ? 0.5 : 1.0);
}

}  // namespace

double forward_operations(const Problem& p) { return 4 * pairs(p); }
double backward_operations(const Problem& p) { return 10 * pairs(p); }

Candidate onednn_naive(const Problem& p) {
  return {forward_operations(p), [o = std::make_shared<Output>(p)] {
            const auto scores = static_cast<size_t>(o->problem.length) * static_cast<size_t>(o->problem.length);
            make_f32(*o, 3);
            parallel(o->problem.threads, o->problem.heads, scores,
                     [&](int head, float* scratch) { naive_head(*o, head, scratch); });
          }};
}

Candidate onednn_forward(const Problem& p) {
  return {forward_operations(p), [o = std::make_shared<Output>(p)] { forward(*o); }};
}

Candidate onednn_backward(const Problem& p) {
  const auto o = std::make_shared<Output>(p);
  forward(*o);
  return {backward_operations(p), [o] {
            make_f32(*o, 4);
            parallel(o->problem.threads, o->problem.heads, 2 * kQueries * kKeys,
                     [&](int head, float* memory) { backward_head(*o, head, memory); });
          }};
}

Candidate onednn_product(int size, int threads) {
  const auto n = static_cast<size_t>(size) * static_cast<size_t>(size);
  const auto a = std::make_shared<std::vector<float>>(n, 0.5f), b = std::make_shared<std::vector<float>>(n, 0.25f),
             c = std::make_shared<std::vector<float>>(n);
  return {2.0 * size * size * size, [=] {
            omp_set_num_threads(threads);
            gemm(false, false, size, size, size, 1, a->data(), size, b->data(), size, 0, c->data(), size);
          }};
}

}  // namespace ranklint::bench
