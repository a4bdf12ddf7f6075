// The collectives of several runtimes side by side: what is measured, and how.
//
// A peer carries out `iterations` calls of one operation with buffers of `size_bytes` (the large side: P pieces of an
// all_gather, ...) on all ranks and says how long one took, in microseconds, the best of kBatches batches.
#pragma once

#include <pthread.h>
#include <sched.h>

#include <array>
#include <chrono>
#include <cstddef>
#include <optional>
#include <string_view>
#include <thread>

namespace ranklint::bench {

enum class Op { AllReduce, AllGather, ReduceScatter, AllToAll, Broadcast, RingShift, Barrier };
inline constexpr std::array kOps = {Op::AllReduce, Op::AllGather, Op::ReduceScatter, Op::AllToAll,
                                    Op::Broadcast, Op::RingShift, Op::Barrier};
inline constexpr std::array<std::string_view, 7> kOpNames = {"all_reduce", "all_gather", "reduce_scatter", "all_to_all",
                                                             "broadcast",  "ring_shift", "barrier"};

// Many short ones: on a machine that others use too most batches are disturbed, and it takes one that is not.
inline constexpr int kBatches = 60;

inline int iterations_for(size_t size_bytes) {
  if (size_bytes < 4096) return 800;
  if (size_bytes < (size_t{1} << 20)) return 100;
  return size_bytes < (size_t{16} << 20) ? 10 : 2;
}

// Keeps the calling thread on a core of its own while there are enough, as mpirun does by itself: two ranks that spin
// for each other on one core measure the scheduler.
inline void pin_to_core(int rank, int ranks) {
  if (static_cast<unsigned>(ranks) > std::thread::hardware_concurrency()) return;
  cpu_set_t core;
  CPU_ZERO(&core);
  CPU_SET(static_cast<size_t>(rank), &core);
  pthread_setaffinity_np(pthread_self(), sizeof core, &core);
}

// The best batch's mean time of one call, in microseconds; `gather` is a barrier of the peer.
template <typename Gather, typename Once>
double best_microseconds(size_t size_bytes, Gather&& gather, Once&& once, int batches = kBatches) {
  using Clock = std::chrono::steady_clock;
  const int iterations = iterations_for(size_bytes);
  double best = 1e30;
  for (int batch = 0; batch < batches; ++batch) {
    gather();
    const auto start = Clock::now();
    for (int i = 0; i < iterations; ++i) once();
    const double taken = std::chrono::duration<double, std::micro>(Clock::now() - start).count() / iterations;
    best = taken < best ? taken : best;
  }
  return best;
}

double runtime_microseconds(int ranks, Op op, size_t size_bytes);
enum class Loops { Bare, Prototype, Checked };  // between threads: direct_peer.cpp
double direct_microseconds(Loops loops, int ranks, Op op, size_t size_bytes);
std::optional<double> gloo_microseconds(int ranks, Op op, size_t size_bytes);  // where it has the operation

}  // namespace ranklint::bench
