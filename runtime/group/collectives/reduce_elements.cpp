// Reductions, a block of elements at a time: the block's accumulators stay in the first-level cache while each input in
// turn is added to them, and then go to every output. The loops are plain, so that the compiler makes vectors of them;
// the same source is compiled for AVX2 and for any processor, and gives the same bits on both since nothing is
// reordered (a vector holds different elements, never parts of one sum) and no multiply-add is fused. Two inputs and up
// to two outputs, which is what the ranks of a pair have, need no accumulators: one pass through the registers.
#include <algorithm>
#include <bit>
#include <cstdint>

#include "runtime/base/instructions.h"
#include "runtime/group/collectives/kernels.h"

#define RANKLINT_INLINE [[gnu::always_inline]] inline
// Before a loop over elements: an output may be one of the inputs, but then it is the same element, so that the rounds
// may be done in any order.
#if defined(__clang__)
#define RANKLINT_EACH_ALONE _Pragma("clang loop vectorize(assume_safety)")
#else
#define RANKLINT_EACH_ALONE _Pragma("GCC ivdep")
#endif

namespace ranklint::runtime {

namespace {

constexpr size_t kBlock = 1024;  // elements

struct Sum {
  template <typename T>
  RANKLINT_INLINE static T apply(T a, T b) {
    return static_cast<T>(a + b);
  }
};
struct Prod {
  template <typename T>
  RANKLINT_INLINE static T apply(T a, T b) {
    return static_cast<T>(a * b);
  }
};
// A NaN on either side stays, as in torch.
struct Min {
  template <typename T>
  RANKLINT_INLINE static T apply(T a, T b) {
    return b < a || b != b ? b : a;
  }
};
struct Max {
  template <typename T>
  RANKLINT_INLINE static T apply(T a, T b) {
    return b > a || b != b ? b : a;
  }
};

// Integers wrap around, as two's complement hardware does: computed unsigned, where that is defined.
template <typename T, typename Accumulator>
struct Element {
  using Stored = T;
  using Value = Accumulator;
  RANKLINT_INLINE static Value load(Stored stored) { return static_cast<Value>(stored); }
  RANKLINT_INLINE static Stored store(Value value) { return static_cast<Stored>(value); }
};

struct BFloat16Element {
  using Stored = uint16_t;
  using Value = float;
  RANKLINT_INLINE static Value load(Stored bits) { return std::bit_cast<float>(uint32_t{bits} << 16); }
  RANKLINT_INLINE static Stored store(Value value) {
    const uint32_t bits = std::bit_cast<uint32_t>(value);
    const uint32_t rounded = (bits + 0x7fffu + ((bits >> 16) & 1u)) >> 16;
    return static_cast<uint16_t>(value != value ? (bits >> 16 | 0x40u) : rounded);
  }
};

struct Float16Element {
  using Stored = uint16_t;
  using Value = float;
  RANKLINT_INLINE static Value load(Stored bits) { return to_float(Float16{bits}); }
  RANKLINT_INLINE static Stored store(Value value) { return to_float16(value).bits; }
};

struct Job {
  std::span<std::byte* const> outs;
  std::span<const std::byte* const> inputs;
  bool average;
  size_t begin, end;  // elements of each
};

template <typename E>
RANKLINT_INLINE const typename E::Stored* elements(const std::byte* data) {
  return reinterpret_cast<const typename E::Stored*>(data);
}

template <typename E>
RANKLINT_INLINE void divide(typename E::Value* sums, size_t count, size_t ranks) {
  if constexpr (!std::is_integral_v<typename E::Value>)
    for (size_t i = 0; i < count; ++i) sums[i] /= static_cast<typename E::Value>(ranks);
}

template <typename E, typename Op>
RANKLINT_INLINE void reduce_block(const Job& job, size_t begin, size_t count) {
  using Stored = typename E::Stored;
  alignas(64) typename E::Value sums[kBlock];
  const Stored* first = elements<E>(job.inputs[0]) + begin;
  for (size_t i = 0; i < count; ++i) sums[i] = E::load(first[i]);
  for (const std::byte* input : job.inputs.subspan(1)) {
    const Stored* next = elements<E>(input) + begin;
    for (size_t i = 0; i < count; ++i) sums[i] = Op::apply(sums[i], E::load(next[i]));
  }
  if (job.average) divide<E>(sums, count, job.inputs.size());
  for (std::byte* out : job.outs) {
    Stored* target = reinterpret_cast<Stored*>(out) + begin;
    for (size_t i = 0; i < count; ++i) target[i] = E::store(sums[i]);
  }
}

template <typename E, typename Op>
RANKLINT_INLINE void reduce_pair(const Job& job) {
  using Stored = typename E::Stored;
  const Stored* first = elements<E>(job.inputs[0]);
  const Stored* second = elements<E>(job.inputs[1]);
  Stored* out = reinterpret_cast<Stored*>(job.outs[0]);
  if (job.outs.size() == 1) {
    RANKLINT_EACH_ALONE
    for (size_t i = job.begin; i < job.end; ++i) out[i] = E::store(Op::apply(E::load(first[i]), E::load(second[i])));
    return;
  }
  Stored* other = reinterpret_cast<Stored*>(job.outs[1]);
  RANKLINT_EACH_ALONE
  for (size_t i = job.begin; i < job.end; ++i)
    out[i] = other[i] = E::store(Op::apply(E::load(first[i]), E::load(second[i])));
}

// Of a pair few elements are reduced often: apart from the blocks, whose frame of accumulators takes longer to lay out.
enum class Way { Pair, Blocks };

template <Way kWay, typename E, typename Op>
RANKLINT_INLINE void reduce_all(const Job& job) {
  if constexpr (kWay == Way::Pair) return reduce_pair<E, Op>(job);
  for (size_t begin = job.begin; begin < job.end; begin += kBlock)
    reduce_block<E, Op>(job, begin, std::min(kBlock, job.end - begin));
}

template <Way kWay, typename E>
RANKLINT_INLINE void reduce_typed(const Job& job, ReduceOp op) {
  switch (op) {
    case ReduceOp::Sum:
    case ReduceOp::Avg: return reduce_all<kWay, E, Sum>(job);
    case ReduceOp::Min: return reduce_all<kWay, E, Min>(job);
    case ReduceOp::Max: return reduce_all<kWay, E, Max>(job);
    case ReduceOp::Prod: return reduce_all<kWay, E, Prod>(job);
  }
}

// Order of integers is a matter of sign, sums and products are not.
template <Way kWay, typename Signed, typename Unsigned>
RANKLINT_INLINE void reduce_integers(const Job& job, ReduceOp op) {
  if (op == ReduceOp::Sum || op == ReduceOp::Prod) return reduce_typed<kWay, Element<Unsigned, Unsigned>>(job, op);
  reduce_typed<kWay, Element<Signed, Signed>>(job, op);
}

template <Way kWay>
RANKLINT_INLINE void reduce_any(const Job& job, DType dtype, ReduceOp op) {
  switch (dtype) {
    case DType::F32: return reduce_typed<kWay, Element<float, float>>(job, op);
    case DType::F64: return reduce_typed<kWay, Element<double, double>>(job, op);
    case DType::BF16: return reduce_typed<kWay, BFloat16Element>(job, op);
    case DType::F16: return reduce_typed<kWay, Float16Element>(job, op);
    case DType::I32: return reduce_integers<kWay, int32_t, uint32_t>(job, op);
    case DType::I64: return reduce_integers<kWay, int64_t, uint64_t>(job, op);
    case DType::U8: return reduce_typed<kWay, Element<uint8_t, uint8_t>>(job, op);
  }
}

template <Way kWay>
void reduce_portable(const Job& job, DType dtype, ReduceOp op) {
  reduce_any<kWay>(job, dtype, op);
}

#if defined(__x86_64__)
template <Way kWay>
__attribute__((target("avx2"))) void reduce_avx2(const Job& job, DType dtype, ReduceOp op) {
  reduce_any<kWay>(job, dtype, op);
}
#endif

}  // namespace

template <Way kWay>
static void reduce(const Job& job, DType dtype, ReduceOp op) {
#if defined(__x86_64__)
  if (instructions_in_use() >= Instructions::Avx2) return reduce_avx2<kWay>(job, dtype, op);
#endif
  reduce_portable<kWay>(job, dtype, op);
}

void reduce_elements(std::span<std::byte* const> outs, std::span<const std::byte* const> inputs, size_t count,
                     DType dtype, ReduceOp op, Passage passage) {
  const bool average = op == ReduceOp::Avg, pair = inputs.size() == 2 && outs.size() <= 2 && !average;
  in_chunks(count, count_in(chunk_bytes(passage), dtype), [&](size_t begin, size_t end) {
    const Job job{.outs = outs, .inputs = inputs, .average = average, .begin = begin, .end = end};
    if (pair)
      reduce<Way::Pair>(job, dtype, op);
    else
      reduce<Way::Blocks>(job, dtype, op);
  });
}

}  // namespace ranklint::runtime
