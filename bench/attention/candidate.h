// What bench_attention times: each candidate does the same work on the same inputs.
#pragma once

#include <cstdint>
#include <functional>
#include <string>
#include <vector>

namespace ranklint::bench {

// Self-attention, one row in the batch, as many KV heads as heads. Arrays are [heads, length, head_dim]; of bfloat16
// they hold values that it has.
struct Problem {
  int heads = 8, length = 2048, head_dim = 64;
  bool causal = false;
  bool bf16 = false;  // how q, k, v and dout are stored
  int threads = 1;
  std::vector<float> q, k, v, dout;
};

struct Candidate {
  double operations = 0;  // floating-point, of one run; by convention half of them under a causal mask
  std::function<void()> run;
};

// 4 heads length^2 head_dim forward, 10 backward.
double forward_operations(const Problem& problem);
double backward_operations(const Problem& problem);

// Attention over oneDNN's sgemm: the whole matrix of scores, as an untiled program does it; and tiled with the online
// softmax, forward and backward. Inputs in bfloat16 are first made f32, which is timed.
Candidate onednn_naive(const Problem& problem);
Candidate onednn_forward(const Problem& problem);
Candidate onednn_backward(const Problem& problem);
Candidate onednn_product(int size, int threads);

// This runtime on one rank: forward, backward from what a forward pass saved, and one after the other.
Candidate runtime_forward(const Problem& problem);
Candidate runtime_backward(const Problem& problem);
Candidate runtime_both(const Problem& problem);
Candidate runtime_product(int size, int threads);

// Forward and backward spread over `problem.threads` ranks of one thread each, as all ranks see it: from the first that
// begins to the last that is done. The ranks stay between runs, as in training.
Candidate runtime_ulysses(const Problem& problem);
Candidate runtime_ring(const Problem& problem);

}  // namespace ranklint::bench
