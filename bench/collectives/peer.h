// The collectives of several runtimes side by side: what is measured, and how.
//
// A peer carries out `iterations` calls of one operation with buffers of `size_bytes` (the large side: P pieces of an
// all_gather, ...) on all ranks and says how long one took, in microseconds, the best of kBatches batches.
#pragma once

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>

namespace ranklint::bench {

enum class Op { AllReduce, AllGather, ReduceScatter, AllToAll, Broadcast, RingShift, Barrier };
inline constexpr std::array kOps = {Op::AllReduce, Op::AllGather, Op::ReduceScatter, Op::AllToAll,
                                    Op::Broadcast, Op::RingShift, Op::Barrier};
inline constexpr std::array<std::string_view, 7> kOpNames = {"all_reduce", "all_gather", "reduce_scatter", "all_to_all",
                                                             "broadcast", "ring_shift", "barrier"};

inline constexpr int kBatches = 9;

inline int iterations_for(size_t size_bytes) {
  if (size_bytes < 4096) return 4000;
  if (size_bytes < (size_t{1} << 20)) return 200;
  return size_bytes < (size_t{16} << 20) ? 20 : 4;
}

// The best batch's mean time of one call, in microseconds; `gather` is a barrier of the peer.
template <typename Gather, typename Once>
double best_microseconds(size_t size_bytes, Gather&& gather, Once&& once) {
  using Clock = std::chrono::steady_clock;
  const int iterations = iterations_for(size_bytes);
  double best = 1e30;
  for (int batch = 0; batch < kBatches; ++batch) {
    gather();
    const auto start = Clock::now();
    for (int i = 0; i < iterations; ++i) once();
    const double taken = std::chrono::duration<double, std::micro>(Clock::now() - start).count() / iterations;
    best = taken < best ? taken : best;
  }
  return best;
}

double runtime_microseconds(int ranks, Op op, size_t size_bytes);
double direct_microseconds(int ranks, Op op, size_t size_bytes);  // bare loops between threads, nothing checked
std::optional<double> gloo_microseconds(int ranks, Op op, size_t size_bytes);  // where it has the operation

}  // namespace ranklint::bench
