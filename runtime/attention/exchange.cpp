#include "runtime/attention/exchange.h"

#include <algorithm>
#include <cstring>

namespace ranklint::runtime {

namespace {

struct Offsets {
  std::vector<int64_t> begin;
  int64_t total = 0;
};

Offsets offsets_of(const std::vector<int64_t>& tokens) {
  Offsets offsets;
  for (int64_t count : tokens) {
    offsets.begin.push_back(offsets.total);
    offsets.total += count;
  }
  return offsets;
}

// Adds [batch, tokens, part of the heads, head_dim] to those heads of `whole`. Heads that come first are copied, so that
// a head that one member alone computes arrives with its bits.
void put_heads(const Tensor& whole, const Tensor& part, Piece heads, int64_t fresh_from) {
  const int64_t head_dim = whole.size(3), rows = whole.size(0) * whole.size(1), all = whole.size(2);
  const float* from = part.as<float>().data();
  for (int64_t row = 0; row < rows; ++row)
    for (int64_t head = heads.begin; head < heads.end; ++head, from += head_dim) {
      float* to = whole.as<float>().data() + (row * all + head) * head_dim;
      if (head >= fresh_from) {
        std::memcpy(to, from, static_cast<size_t>(head_dim) * sizeof(float));
        continue;
      }
      for (int64_t c = 0; c < head_dim; ++c) to[c] += from[c];
    }
}

}  // namespace

Tensor gather_tokens(ProcessGroup& group, const Tensor& tensor, const ExchangePlan& plan) {
  const int64_t batch = tensor.size(0), head_dim = tensor.size(3);
  const Offsets offsets = offsets_of(plan.tokens);
  const Piece mine = plan.heads[static_cast<size_t>(group.rank())];
  std::vector<Tensor> in, out;
  const Tensor one_row = Tensor::empty({offsets.total, mine.length(), head_dim}, tensor.dtype(), tensor.device());
  for (size_t member = 0; member < plan.tokens.size(); ++member) {
    in.push_back(tensor.narrow(2, plan.heads[member].begin, plan.heads[member].length()));
    // With one row in the batch the pieces land where they belong.
    out.push_back(batch == 1 ? one_row.narrow(0, offsets.begin[member], plan.tokens[member])
                             : Tensor::empty({batch, plan.tokens[member], mine.length(), head_dim}, tensor.dtype(), tensor.device()));
  }
  group.all_to_all(out, in);
  return batch == 1 ? one_row.reshape({1, offsets.total, mine.length(), head_dim}) : Tensor::cat(out, 1);
}

Tensor scatter_tokens(ProcessGroup& group, const Tensor& tensor, const ExchangePlan& plan, int64_t total_heads) {
  const int64_t batch = tensor.size(0), head_dim = tensor.size(3), tokens = plan.tokens[static_cast<size_t>(group.rank())];
  const Offsets offsets = offsets_of(plan.tokens);
  std::vector<Tensor> in, out;
  for (size_t member = 0; member < plan.tokens.size(); ++member) {
    in.push_back(tensor.narrow(1, offsets.begin[member], plan.tokens[member]));
    out.push_back(Tensor::empty({batch, tokens, plan.heads[member].length(), head_dim}, tensor.dtype(), tensor.device()));
  }
  group.all_to_all(out, in);
  const Tensor whole = Tensor::empty({batch, tokens, total_heads, head_dim}, tensor.dtype(), tensor.device());
  int64_t fresh_from = 0;  // heads below have been written
  for (size_t member = 0; member < out.size(); ++member) {
    put_heads(whole, out[member], plan.heads[member], fresh_from);
    fresh_from = std::max(fresh_from, plan.heads[member].end);
  }
  return whole;
}

}  // namespace ranklint::runtime
