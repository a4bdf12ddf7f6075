// The two things that collectives do with bytes: copy them and reduce them.
#pragma once

#include <cstddef>
#include <span>

#include "runtime/base/dtype.h"
#include "runtime/group/call.h"

namespace ranklint::runtime {

// From this size on an operation's bytes do not stay in cache, so copies go past it.
inline constexpr size_t kStreamBytes = size_t{4} << 20;

// The two must not overlap. `stream`: with non-temporal stores, which do not read the target's lines first.
void copy_bytes(std::byte* to, const std::byte* from, size_t size_bytes, bool stream);

// Each of outs[*] = inputs[0] op inputs[1] op ..., element by element and in this order, so that every result has the same
// bits whoever computes it. Avg divides the sum by inputs.size(). bf16 and f16 are reduced in f32 and rounded once. An
// output may be one of the inputs; other overlaps are not allowed.
void reduce_elements(std::span<std::byte* const> outs, std::span<const std::byte* const> inputs, size_t count,
                     DType dtype, ReduceOp op);

}  // namespace ranklint::runtime
