#include "runtime/attention/prepare.h"

#include <algorithm>
#include <cmath>
#include <string>
#include <utility>

namespace ranklint::runtime {

namespace {

void check_like(const char* what, const Tensor& tensor, int64_t batch, int64_t head_dim, DType dtype) {
  if (tensor.dim() != 4)
    fail(ErrorKind::InvalidArgument,
         std::string(what) + " has shape " + to_string(tensor.shape()) + ", not [batch, length, heads, head_dim]");
  if (tensor.size(0) != batch || tensor.size(3) != head_dim)
    fail(ErrorKind::InvalidArgument, std::string(what) + " has shape " + to_string(tensor.shape()) + " beside batch " +
                                         std::to_string(batch) + " and head_dim " + std::to_string(head_dim) + " of q");
  if (tensor.dtype() != dtype)
    fail(ErrorKind::InvalidArgument, std::string(what) + " is " + std::string(name_of(tensor.dtype())) +
                                         " beside q of " + std::string(name_of(dtype)));
}

void check_plan(const AttentionPlan& plan, int64_t q_len, int64_t k_len) {
  for (const QueryRange& range : plan) {
    bool fits = range.begin >= 0 && range.begin <= range.end && range.end <= q_len, ascend = true, counted = true;
    int64_t before = 0;
    for (const KeyRange& keys : range.keys) {
      fits = fits && keys.begin >= 0 && keys.begin <= keys.end && keys.end <= k_len;
      ascend = ascend && keys.begin >= std::exchange(before, keys.end);
      counted = counted && keys.diagonal >= -kEveryKey && keys.diagonal <= kEveryKey;
    }
    if (!fits)
      fail(ErrorKind::InvalidArgument,
           "a plan that reaches beyond " + std::to_string(q_len) + " queries or " + std::to_string(k_len) + " keys");
    if (!ascend) fail(ErrorKind::InvalidArgument, "a plan whose ranges of keys do not ascend, or overlap");
    if (!counted)
      fail(ErrorKind::InvalidArgument, "a plan with a diagonal beyond kEveryKey, " + std::to_string(kEveryKey));
  }
}

std::vector<int> kv_heads_of(const AttentionShape& shape, const AttentionOptions& options) {
  std::vector<int> map = options.kv_head_of;
  if (map.empty()) {
    if (shape.heads > 0 && (shape.kv_heads == 0 || shape.heads % shape.kv_heads != 0))
      fail(ErrorKind::InvalidArgument,
           std::to_string(shape.heads) + " query heads over " + std::to_string(shape.kv_heads) + " KV heads");
    for (int64_t g = 0; g < shape.heads; ++g) map.push_back(static_cast<int>(g * shape.kv_heads / shape.heads));
  }
  const bool fits = std::all_of(map.begin(), map.end(), [&](int head) { return head >= 0 && head < shape.kv_heads; });
  if (!fits || static_cast<int64_t>(map.size()) != shape.heads)
    fail(ErrorKind::InvalidArgument,
         "kv_head_of does not map " + std::to_string(shape.heads) + " heads to " + std::to_string(shape.kv_heads));
  return map;
}

}  // namespace

AttentionShape check_attention(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionPlan& plan,
                               const AttentionOptions& options) {
  check_type(q);
  check_like("q", q, q.dim() == 4 ? q.size(0) : 0, q.dim() == 4 ? q.size(3) : 0, q.dtype());
  check_like("k", k, q.size(0), q.size(3), q.dtype());
  check_shape("v", v, k.shape());
  check_like("v", v, q.size(0), q.size(3), q.dtype());
  AttentionShape shape{.batch = q.size(0),
                       .q_len = q.size(1),
                       .k_len = k.size(1),
                       .heads = q.size(2),
                       .kv_heads = k.size(2),
                       .head_dim = q.size(3),
                       .scale = 1,
                       .sign = 1,
                       .factor = 1,
                       .kv_head_of = {}};
  shape.kv_head_of = kv_heads_of(shape, options);
  check_plan(plan, shape.q_len, shape.k_len);
  shape.scale = options.scale.value_or(1.0f / std::sqrt(static_cast<float>(std::max<int64_t>(shape.head_dim, 1))));
  shape.sign = std::signbit(shape.scale) ? -1.0f : 1.0f;
  shape.factor = static_cast<float>(std::abs(shape.scale) * 1.4426950408889634);
  return shape;
}

bool is_packable(DType dtype) { return dtype == DType::F32 || dtype == DType::BF16 || dtype == DType::F16; }

void check_type(const Tensor& rows) {
  if (!is_packable(rows.dtype())) fail(ErrorKind::Unsupported, "attention on " + std::string(name_of(rows.dtype())));
}

void check_shape(const char* what, const Tensor& tensor, const Shape& wanted) {
  if (tensor.shape() != wanted)
    fail(ErrorKind::InvalidArgument,
         std::string(what) + " has shape " + to_string(tensor.shape()) + ", not " + to_string(wanted));
}

AttentionPlan with_every_query(const AttentionPlan& plan, int64_t q_len) {
  AttentionPlan all = plan;
  std::sort(all.begin(), all.end(), [](const QueryRange& a, const QueryRange& b) { return a.begin < b.begin; });
  for (size_t i = 1; i < all.size(); ++i)
    if (all[i].begin < all[i - 1].end && all[i].begin < all[i].end)
      fail(ErrorKind::InvalidArgument, "a plan whose ranges of queries overlap");
  int64_t begin = 0;
  for (size_t i = 0, planned = all.size(); i <= planned; ++i) {
    const int64_t end = i < planned ? all[i].begin : q_len;
    if (begin < end) all.push_back({.begin = begin, .end = end, .keys = {}});
    if (i < planned) begin = std::max(begin, all[i].end);
  }
  return all;
}

const Kernel& kernel_of(const AttentionOptions& options) { return options.kernel ? *options.kernel : best_kernel(); }

BlockMask mask_of(const KeyRange& keys, int64_t first_query, int64_t block, int64_t block_len) {
  constexpr int64_t kFar = int64_t{1} << 30;
  // Lane i is query first_query + i; it sees key j of the block iff block + j - keys.begin <= first_query + i +
  // diagonal.
  const int64_t limit = first_query + keys.diagonal + keys.begin - block + 1;
  return {.first = static_cast<int>(std::max<int64_t>(keys.begin - block, 0)),
          .count = static_cast<int>(std::min(keys.end - block, block_len)),
          .limit = static_cast<int>(std::clamp(limit, -kFar, kFar))};
}

bool sees_any(const BlockMask& mask, int lanes) { return std::min(mask.count, mask.limit + lanes - 1) > mask.first; }

}  // namespace ranklint::runtime
