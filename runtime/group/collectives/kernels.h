// The two things that collectives do with bytes: copy them and reduce them.
#pragma once

#include <cstddef>
#include <span>

#include "runtime/base/dtype.h"
#include "runtime/group/call.h"

namespace ranklint::runtime {

// How a thread passes through the bytes that it copies.
struct Passage {
  bool backward = false;   // through much from the end on, a chunk at a time
  bool streaming = false;  // with non-temporal stores, which do not read the target's lines first
  bool operator==(const Passage&) const = default;
};

// From this size on what an operation writes does not stay in cache, so it goes past it.
constexpr bool streams(size_t total_bytes) { return total_bytes >= size_t{4} << 20; }

// The passage of an operation that moves `total_bytes`, of which this thread's part begins at `place`. Every other passage of
// a thread's through the same large place is backward: the end is what it touched last, so that is what the cache still
// holds, while who begins at the front again pushes out each line shortly before its turn.
Passage passage_through(const std::byte* place, size_t total_bytes);

// The two must not overlap.
void copy_bytes(std::byte* to, const std::byte* from, size_t size_bytes, Passage passage);

// Each of outs[*] = inputs[0] op inputs[1] op ..., element by element and in this order, so that every result has the same
// bits whoever computes it. Avg divides the sum by inputs.size(). bf16 and f16 are reduced in f32 and rounded once. An
// output may be one of the inputs; other overlaps are not allowed.
void reduce_elements(std::span<std::byte* const> outs, std::span<const std::byte* const> inputs, size_t count,
                     DType dtype, ReduceOp op);

}  // namespace ranklint::runtime
