// What is reachable between threads: each rank publishes its addresses, a spinning barrier, plain loops over the
// others' buffers, a barrier. Nothing is recorded, no rank may fail. Three ways to do that (peer.h, Loops):
//
// Bare: nothing is checked either; a barrier is one meeting, all-reduce is in place, as ours is. That is stricter than
// the prototype, of which it is made: a ceiling. Prototype: as it first was, every call, a barrier too, between two
// meetings; all-reduce out of place, so that the inputs of a loop that changes nothing stay in every core's cache.
// Checked: the prototype with its checks: every rank publishes what it calls in a cache line and compares all lines.
#include <algorithm>
#include <atomic>
#include <cstring>
#include <thread>
#include <vector>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "bench/collectives/peer.h"

namespace ranklint::bench {

namespace {

class SpinBarrier {
 public:
  explicit SpinBarrier(int ranks)
      : ranks_(ranks), spins_(ranks <= static_cast<int>(std::thread::hardware_concurrency()) ? 20000 : 50) {}

  void wait() {
    const unsigned generation = generation_.load(std::memory_order_relaxed);
    if (arrived_.fetch_add(1, std::memory_order_acq_rel) == ranks_ - 1) {
      arrived_.store(0, std::memory_order_relaxed);
      generation_.store(generation + 1, std::memory_order_release);
      generation_.notify_all();
      return;
    }
    for (int i = 0; i < spins_; ++i) {
      if (generation_.load(std::memory_order_acquire) != generation) return;
#if defined(__x86_64__)
      _mm_pause();
#endif
    }
    generation_.wait(generation, std::memory_order_acquire);
  }

 private:
  int ranks_, spins_;
  alignas(64) std::atomic<int> arrived_{0};
  alignas(64) std::atomic<unsigned> generation_{0};
};

// What a checked call publishes.
struct alignas(64) Description {
  uint64_t sequence = 0;
  int op = 0, dtype = 0, reduce = 0, root = 0;
  size_t count = 0;
  const char* site = "";

  bool agrees_with(const Description& other) const {
    return sequence == other.sequence && op == other.op && dtype == other.dtype && reduce == other.reduce &&
           root == other.root && count == other.count;
  }
};

struct Shared {
  Shared(Loops kind, size_t ranks)
      : loops(kind), barrier(static_cast<int>(ranks)), in(ranks), out(ranks), descriptions(ranks) {}
  Loops loops;
  SpinBarrier barrier;
  std::vector<float*> in, out;
  std::vector<Description> descriptions;
  std::atomic<long> mismatches{0};
};

void copy(float* to, const float* from, size_t count, bool stream) {
#if defined(__AVX2__)
  if (stream && reinterpret_cast<uintptr_t>(to) % 32 == 0) {
    size_t i = 0;
    for (; i + 8 <= count; i += 8) _mm256_stream_ps(to + i, _mm256_loadu_ps(from + i));
    for (; i < count; ++i) to[i] = from[i];
    _mm_sfence();
    return;
  }
#else
  static_cast<void>(stream);
#endif
  std::memcpy(to, from, count * sizeof(float));
}

void sum_into(float* to, const std::vector<float*>& in, size_t begin, size_t count) {
  size_t i = 0;
#if defined(__AVX2__)
  for (; i + 8 <= count; i += 8) {
    __m256 sum = _mm256_loadu_ps(in[0] + begin + i);
    for (size_t rank = 1; rank < in.size(); ++rank) sum = _mm256_add_ps(sum, _mm256_loadu_ps(in[rank] + begin + i));
    _mm256_storeu_ps(to + i, sum);
  }
#endif
  for (; i < count; ++i) {
    float sum = in[0][begin + i];
    for (size_t rank = 1; rank < in.size(); ++rank) sum += in[rank][begin + i];
    to[i] = sum;
  }
}

void all_reduce(Shared& shared, size_t rank, size_t piece, bool stream) {
  constexpr size_t kBlock = 16384;
  for (size_t at = 0; at < piece; at += kBlock) {
    const size_t count = std::min(kBlock, piece - at);
    const size_t begin = rank * piece + at;
    sum_into(shared.out[rank] + begin, shared.in, begin, count);
    for (size_t other = 0; other < shared.out.size(); ++other)
      if (other != rank) copy(shared.out[other] + begin, shared.out[rank] + begin, count, stream);
  }
}

void move_data(Shared& shared, Op op, size_t rank, size_t count) {
  const size_t ranks = shared.in.size();
  const size_t piece = count / ranks;
  const bool stream = count * sizeof(float) >= (size_t{4} << 20);
  float* const out = shared.out[rank];
  switch (op) {
    case Op::AllReduce: return all_reduce(shared, rank, piece, stream);
    case Op::ReduceScatter: return sum_into(out, shared.in, rank * piece, piece);
    case Op::Broadcast:
      if (rank != 0) copy(out, shared.in[0], count, stream);
      return;
    case Op::RingShift: return copy(out, shared.in[(rank + ranks - 1) % ranks], count, stream);
    case Op::Barrier: return;
    case Op::AllGather:
    case Op::AllToAll:
      for (size_t step = 0; step < ranks; ++step) {
        const size_t from = (rank + step) % ranks;
        copy(out + from * piece, shared.in[from] + (op == Op::AllToAll ? rank * piece : 0), piece, stream);
      }
      return;
  }
}

void describe(Description& mine, Op op, size_t count) {
  ++mine.sequence;
  mine.op = static_cast<int>(op);
  mine.dtype = 1;
  mine.count = count;
  mine.site = __FILE__;
}

void compare(Shared& shared, size_t rank) {
  for (const Description& other : shared.descriptions)
    if (!shared.descriptions[rank].agrees_with(other)) ++shared.mismatches;
}

void once(Shared& shared, Op op, size_t rank, float* in, float* out, size_t count) {
  shared.in[rank] = in;
  shared.out[rank] = out;
  if (shared.loops == Loops::Checked) describe(shared.descriptions[rank], op, count);
  shared.barrier.wait();
  if (shared.loops == Loops::Checked) compare(shared, rank);
  if (shared.loops == Loops::Bare && op == Op::Barrier) return;
  move_data(shared, op, rank, count);
  shared.barrier.wait();
}

}  // namespace

double direct_microseconds(Loops loops, int ranks, Op op, size_t size_bytes) {
  const auto size = static_cast<size_t>(ranks);
  const size_t count = size_bytes / sizeof(float) / size * size;
  Shared shared(loops, size);
  const bool in_place = loops == Loops::Bare && op == Op::AllReduce;
  double best = 0;
  {
    std::vector<std::jthread> threads;
    for (size_t rank = 0; rank < size; ++rank)
      threads.emplace_back([&, rank] {
        pin_to_core(static_cast<int>(rank), ranks);
        const size_t room = (count * sizeof(float) + 4095) / 4096 * 4096 + 4096;
        auto* in = static_cast<float*>(std::aligned_alloc(4096, room));
        auto* out = static_cast<float*>(std::aligned_alloc(4096, room));
        std::fill_n(in, count, 1.0F);
        std::fill_n(out, count, 0.0F);
        const double mine = best_microseconds(
            size_bytes, [&] { shared.barrier.wait(); },
            [&] { once(shared, op, rank, in, in_place ? in : out, count); });
        if (rank == 0) best = mine;
        std::free(in);
        std::free(out);
      });
  }
  return best;
}

}  // namespace ranklint::bench
