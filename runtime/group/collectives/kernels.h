// The two things that collectives do with bytes: copy them and reduce them.
#pragma once

#include <bit>
#include <cstddef>
#include <cstdint>
#include <span>

#include "runtime/base/dtype.h"
#include "runtime/group/call.h"

namespace ranklint::runtime {

// How many elements the bytes make: a shift, since a division takes a tenth of a small call.
constexpr size_t count_in(size_t bytes, DType dtype) { return bytes >> std::countr_zero(size_bytes(dtype)); }

// How a thread passes through the bytes that it copies or reduces.
struct Passage {
  bool backward = false;   // through much from the end on, a chunk at a time
  bool streaming = false;  // with non-temporal stores, which do not read the target's lines first
  bool operator==(const Passage&) const = default;
};

// From this size on what an operation writes does not stay in cache, so it goes past it.
constexpr bool streams(size_t total_bytes) { return total_bytes >= size_t{4} << 20; }

// The passage of an operation that moves `total_bytes`, of which this thread's part begins at `place`. Every other
// passage of a thread's through the same large place is backward: the end is what it touched last, so that is what the
// cache still holds, while who begins at the front again pushes out each line shortly before its turn.
Passage passage_through(const std::byte* place, size_t total_bytes);

// What is passed at a time: all, or, backward, chunks that are passed forward. Small ones keep to the order that the
// cache favours; non-temporal stores, which end with a fence, take more at a time.
constexpr size_t chunk_bytes(Passage passage) {
  if (!passage.backward) return SIZE_MAX;
  return size_t{passage.streaming ? 64u : 8u} << 10;
}
// Calls pass(begin, end) for chunks of [0, size), the last first.
template <typename Pass>
void in_chunks(size_t size, size_t chunk, Pass&& pass) {
  if (size <= chunk) return pass(size_t{0}, size);
  for (size_t end = size; end > 0;) {
    const size_t begin = (end - 1) / chunk * chunk;
    pass(begin, end);
    end = begin;
  }
}

// The two must not overlap.
void copy_bytes(std::byte* to, const std::byte* from, size_t size_bytes, Passage passage);

// Each of outs[*] = inputs[0] op inputs[1] op ..., element by element and in this order, so that every result has the
// same bits whoever computes it; results are stored plainly, also on a streaming passage. Avg divides the sum by
// inputs.size(). bf16 and f16 are reduced in f32 and rounded once. An output may be one of the inputs; other overlaps
// are not allowed.
void reduce_elements(std::span<std::byte* const> outs, std::span<const std::byte* const> inputs, size_t count,
                     DType dtype, ReduceOp op, Passage passage = {});

}  // namespace ranklint::runtime
