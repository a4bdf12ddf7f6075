#include "runtime/attention/heads.h"

#include <string>

namespace ranklint::runtime {

namespace {

Error refusal(int64_t heads, int64_t kv_heads, int members, const std::string& why) {
  return {.kind = ErrorKind::InvalidArgument,
          .message = std::to_string(heads) + " heads and " + std::to_string(kv_heads) + " KV heads over " +
                     std::to_string(members) + " ranks: " + why + "; use ring or U x R"};
}

}  // namespace

std::vector<int> HeadSplit::kv_head_of(int64_t heads, int64_t kv_heads_in_all, int member) const {
  const Interval q = q_heads[static_cast<size_t>(member)];
  std::vector<int> map;
  for (int64_t g = q.begin; g < q.end; ++g)
    map.push_back(static_cast<int>(g * kv_heads_in_all / heads - kv_heads[static_cast<size_t>(member)].begin));
  return map;
}

Result<HeadSplit> split_heads(int64_t heads, int64_t kv_heads, int members, bool allow_uneven) {
  if (heads < 1 || kv_heads < 1 || heads % kv_heads != 0)
    return Error{.kind = ErrorKind::InvalidArgument,
                 .message = std::to_string(heads) + " query heads over " + std::to_string(kv_heads) + " KV heads"};
  if (members < 1) return refusal(heads, kv_heads, members, "nobody to divide them over");
  if (heads < members) return refusal(heads, kv_heads, members, "fewer heads than ranks");
  if (heads % members != 0 && !allow_uneven) return refusal(heads, kv_heads, members, "the heads do not divide");
  if (kv_heads % members != 0 && members % kv_heads != 0 && !allow_uneven)
    return refusal(heads, kv_heads, members, "the KV heads neither divide nor repeat");
  HeadSplit split;
  for (int member = 0; member < members; ++member) {
    const Interval q = split_piece(heads, members, member);
    split.q_heads.push_back(q);
    split.kv_heads.push_back({.begin = q.begin * kv_heads / heads, .end = (q.end - 1) * kv_heads / heads + 1});
  }
  return split;
}

}  // namespace ranklint::runtime
