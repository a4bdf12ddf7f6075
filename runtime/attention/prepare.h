// What the forward and the backward pass work out before they begin. Internal to this folder.
#pragma once

#include <algorithm>
#include <vector>

#include "runtime/attention/attention.h"
#include "runtime/attention/kernel.h"

namespace ranklint::runtime {

struct AttentionShape {
  int64_t batch = 0, q_len = 0, k_len = 0, heads = 0, kv_heads = 0, head_dim = 0;
  float scale = 1;
  float sign = 1;    // of the scale, applied to Q when it is packed, so that the kernels' factor is never negative
  float factor = 1;  // |scale| / ln 2
  std::vector<int> kv_head_of;  // [heads]
};

// Throws RankError where shapes, types, plan and options do not fit together.
AttentionShape check_attention(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionPlan& plan,
                               const AttentionOptions& options);

// Sums are set by the first block that adds to them. What no block has: zeros, `size` elements for each that is not
// begun.
template <typename Begun>
void zero_unless_begun(const Begun& begun, int64_t count, float* sums, int64_t size) {
  for (int64_t i = 0; i < count; ++i)
    if (!begun[static_cast<size_t>(i)]) std::fill_n(sums + i * size, size, 0.0f);
}

// f32, bf16, f16: what rows can be packed of.
bool is_packable(DType dtype);

// Throws RankError{Unsupported} unless its elements can be packed.
void check_type(const Tensor& rows);

// Throws RankError{InvalidArgument} naming `what` unless `tensor` has this shape.
void check_shape(const char* what, const Tensor& tensor, const Shape& wanted);

// The plan and, for queries in none of its ranges, ranges without keys.
AttentionPlan with_every_query(const AttentionPlan& plan, int64_t q_len);

const Kernel& kernel_of(const AttentionOptions& options);

inline int64_t round_up(int64_t value, int64_t step) { return (value + step - 1) / step * step; }

// How far apart rows lie that the kernel reads and writes.
inline int64_t row_width(const AttentionShape& shape, const Kernel& kernel) {
  return round_up(shape.head_dim, kernel.tile_columns);
}

// The part of the mask of `keys` that lies in the block of keys beginning at `block`, for the lanes of a panel whose
// first query is query `first_query` of its range.
BlockMask mask_of(const KeyRange& keys, int64_t first_query, int64_t block, int64_t block_len);

// Whether the panel sees anything there.
bool sees_any(const BlockMask& mask, int lanes);

}  // namespace ranklint::runtime
