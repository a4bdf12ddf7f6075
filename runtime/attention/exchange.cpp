#include "runtime/attention/exchange.h"

#include <algorithm>
#include <cstring>

#include "runtime/attention/pack.h"
#include "runtime/attention/workspace.h"

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

// Some tokens and some heads of [batch, tokens, heads, head_dim], from these on.
struct Block {
  explicit Block(const Tensor& tensor, int64_t token = 0, int64_t head = 0)
      : element_bytes(size_bytes(tensor.dtype())),
        batch(tensor.size(0)),
        head_dim(tensor.size(3)),
        step_bytes(static_cast<size_t>(tensor.size(2) * head_dim) * element_bytes),
        batch_bytes(static_cast<size_t>(tensor.size(1)) * step_bytes),
        data(tensor.data() + static_cast<size_t>(token) * step_bytes +
             static_cast<size_t>(head * head_dim) * element_bytes) {}
  std::byte* at(int64_t row, int64_t i) const {
    return data + static_cast<size_t>(row) * batch_bytes + static_cast<size_t>(i) * step_bytes;
  }

  size_t element_bytes;
  int64_t batch, head_dim;
  size_t step_bytes, batch_bytes;  // from token to token, and from row to row of the batch
  std::byte* data;
};

void copy_block(const Block& to, const Block& from, int64_t tokens, int64_t heads) {
  const size_t bytes = static_cast<size_t>(heads * to.head_dim) * to.element_bytes;
  for (int64_t row = 0; row < to.batch; ++row)
    for (int64_t i = 0; i < tokens; ++i) {
      prefetch_row(from.at(row, i + kRowsAhead), static_cast<int64_t>(bytes));
      std::memcpy(to.at(row, i), from.at(row, i), bytes);
    }
}

void add_block(const Block& to, const Block& from, int64_t tokens, int64_t heads) {
  for (int64_t row = 0; row < to.batch; ++row)
    for (int64_t i = 0; i < tokens; ++i) {
      auto* a = reinterpret_cast<float*>(to.at(row, i));
      const auto* b = reinterpret_cast<const float*>(from.at(row, i));
      for (int64_t c = 0; c < heads * to.head_dim; ++c) a[c] += b[c];
    }
}

// Adds some heads of a member, from the token at hand on, to those from heads.begin on of `whole`. Heads from
// fresh_from on are copied, so that a head that one member alone computes arrives with its bits.
void put_heads(const Tensor& whole, const Tensor& from, int64_t token, Interval heads, int64_t fresh_from) {
  const int64_t tokens = whole.size(1), added = std::clamp<int64_t>(fresh_from - heads.begin, 0, heads.length());
  if (added > 0) add_block(Block(whole, 0, heads.begin), Block(from, token), tokens, added);
  copy_block(Block(whole, 0, heads.begin + added), Block(from, token, added), tokens, heads.length() - added);
}

Tensor nothing(const Tensor& like) { return Tensor::empty({0}, like.dtype(), like.device()); }

}  // namespace

Tensor gather_tokens(ProcessGroup& group, const Tensor& tensor, const ExchangePlan& plan, Workspace* workspace) {
  const int64_t batch = tensor.size(0), tokens = tensor.size(1), head_dim = tensor.size(3);
  const Offsets offsets = offsets_of(plan.tokens);
  const auto self = static_cast<size_t>(group.rank());
  const Interval mine = plan.heads[self];
  const Tensor whole =
      empty_from(workspace, {batch, offsets.total, mine.length(), head_dim}, tensor.dtype(), tensor.device());
  const Tensor rows = whole.reshape({batch * offsets.total, mine.length(), head_dim});
  std::vector<Tensor> in, out;
  for (size_t member = 0; member < plan.tokens.size(); ++member) {
    if (member == self) {
      in.push_back(nothing(tensor));
      out.push_back(nothing(tensor));
      continue;
    }
    const Interval heads = plan.heads[member];
    in.push_back(empty_from(workspace, {batch, tokens, heads.length(), head_dim}, tensor.dtype(), tensor.device()));
    copy_block(Block(in.back()), Block(tensor, 0, heads.begin), tokens, heads.length());
    // With one row in the batch the pieces land where they belong.
    out.push_back(batch == 1 ? rows.narrow(0, offsets.begin[member], plan.tokens[member])
                             : empty_from(workspace, {batch, plan.tokens[member], mine.length(), head_dim},
                                          tensor.dtype(), tensor.device()));
  }
  group.all_to_all(out, in);
  copy_block(Block(whole, offsets.begin[self]), Block(tensor, 0, mine.begin), tokens, mine.length());
  for (size_t member = 0; batch != 1 && member < out.size(); ++member)
    if (member != self)
      copy_block(Block(whole, offsets.begin[member]), Block(out[member]), plan.tokens[member], mine.length());
  return whole;
}

Tensor scatter_tokens(ProcessGroup& group, const Tensor& tensor, const ExchangePlan& plan, int64_t total_heads,
                      Workspace* workspace) {
  const int64_t batch = tensor.size(0), heads = tensor.size(2), head_dim = tensor.size(3);
  const auto self = static_cast<size_t>(group.rank());
  const int64_t tokens = plan.tokens[self];
  const Offsets offsets = offsets_of(plan.tokens);
  const Tensor rows = tensor.reshape({batch * offsets.total, heads, head_dim});
  std::vector<Tensor> in, out;
  for (size_t member = 0; member < plan.tokens.size(); ++member) {
    if (member == self) {
      in.push_back(nothing(tensor));
      out.push_back(nothing(tensor));
      continue;
    }
    in.push_back(batch == 1 ? rows.narrow(0, offsets.begin[member], plan.tokens[member])
                            : tensor.narrow(1, offsets.begin[member], plan.tokens[member]));
    out.push_back(
        empty_from(workspace, {batch, tokens, plan.heads[member].length(), head_dim}, tensor.dtype(), tensor.device()));
  }
  group.all_to_all(out, in);
  const Tensor whole = empty_from(workspace, {batch, tokens, total_heads, head_dim}, tensor.dtype(), tensor.device());
  int64_t fresh_from = 0;  // heads below have been written
  for (size_t member = 0; member < out.size(); ++member) {
    put_heads(whole, member == self ? tensor : out[member], member == self ? offsets.begin[self] : 0,
              plan.heads[member], fresh_from);
    fresh_from = std::max(fresh_from, plan.heads[member].end);
  }
  return whole;
}

}  // namespace ranklint::runtime
