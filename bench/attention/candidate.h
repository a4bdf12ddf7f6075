// What bench_attention times: each candidate does the same work on the same inputs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ranklint::bench {

// Self-attention, f32, one row in the batch, as many KV heads as heads. Arrays are [heads, length, head_dim].
struct Problem {
  int heads = 8, length = 2048, head_dim = 64;
  bool causal = false;
  int threads = 1;
  std::vector<float> q, k, v, dout;
};

struct Candidate {
  std::string name;
  double operations = 0;  // floating-point, of one run; by convention half of them under a causal mask
  std::function<void()> run;
};

// 4 heads length^2 head_dim forward, 10 backward.
double forward_operations(const Problem& problem);
double backward_operations(const Problem& problem);

// Attention over oneDNN's sgemm: the whole matrix of scores, as an untiled program does it; and tiled with the online
// softmax, forward and backward. The problem outlives them.
Candidate onednn_naive(const Problem& problem);
Candidate onednn_forward(const Problem& problem);
Candidate onednn_backward(const Problem& problem);
Candidate onednn_product(int size, int threads);

// This runtime. The spread ones run `problem.threads` ranks of one thread each.
std::vector<Candidate> runtime_local(const Problem& problem);
std::vector<Candidate> runtime_spread(const Problem& problem);
Candidate runtime_product(int size, int threads);

}  // namespace ranklint::bench
