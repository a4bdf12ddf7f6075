#include "runtime/attention/layout.h"

#include <algorithm>
#include <cstring>
#include <string>
#include <utility>

#include "runtime/attention/prepare.h"

namespace ranklint::runtime {

namespace {

int64_t floor_div(int64_t n, int64_t by) { return n / by - (n % by < 0); }
int64_t ceil_div_signed(int64_t n, int64_t by) { return -floor_div(-n, by); }

Run chunk_run(int64_t length, int64_t chunks, int64_t i) {
  const Interval piece = split_piece(length, chunks, i);
  return {.first = piece.begin, .count = piece.length(), .stride = 1};
}

// The tokens of a run at positions [begin, end), in the run's numbers.
Interval within(const Run& run, int64_t begin, int64_t end) {
  const int64_t from = std::clamp<int64_t>(ceil_div_signed(begin - run.first, run.stride), 0, run.count);
  const int64_t to = std::clamp<int64_t>(ceil_div_signed(end - run.first, run.stride), from, run.count);
  return {.begin = from, .end = to};
}

// Neighbours that hide nothing are one range: kernels work through long ranges faster.
bool continues(const KeyRange& before, const KeyRange& next) {
  return before.end == next.begin && before.diagonal == kEveryKey && next.diagonal == kEveryKey;
}

// The keys of one document that lie in one run, as seen by queries `q` of run `query_run`; nothing if there are none.
void add_keys(QueryRange& range, const Run& query_run, Interval q, const Run& key_run, Interval k, int64_t offset,
              bool causal) {
  if (k.length() == 0) return;
  const int64_t distance = query_run.first + q.begin * query_run.stride - key_run.first - k.begin * key_run.stride;
  int64_t diagonal = causal ? floor_div(distance, key_run.stride) : kEveryKey;
  if (diagonal + q.length() - 1 < 0) return;
  if (diagonal >= k.length() - 1) diagonal = kEveryKey;
  const KeyRange keys{.begin = offset + k.begin, .end = offset + k.end, .diagonal = diagonal};
  if (!range.keys.empty() && continues(range.keys.back(), keys))
    range.keys.back().end = keys.end;
  else
    range.keys.push_back(keys);
}

void add_queries(AttentionPlan& plan, QueryRange range) {
  const auto is_open = [](const KeyRange& keys) { return keys.diagonal == kEveryKey; };
  const bool open = std::all_of(range.keys.begin(), range.keys.end(), is_open);
  if (open && !plan.empty() && plan.back().end == range.begin && plan.back().keys == range.keys)
    plan.back().end = range.end;
  else
    plan.push_back(std::move(range));
}

void check_runs(const std::vector<Run>& runs, int64_t length) {
  for (const Run& run : runs)
    if (run.first < 0 || run.count < 0 || run.stride < 1 ||
        (run.count > 0 && (run.first >= length || run.count - 1 > (length - 1 - run.first) / run.stride)))
      fail(ErrorKind::InvalidArgument, std::to_string(run.count) + " tokens from " + std::to_string(run.first) +
                                           " on, " + std::to_string(run.stride) + " apart, of a sequence of " +
                                           std::to_string(length));
}

template <typename Copy>
void for_each_token(const Tensor& whole, const Tensor& part, const std::vector<Run>& runs, Copy&& copy) {
  const int64_t length = whole.size(1), local = length_of(runs);
  Shape shape = whole.shape();
  shape[1] = local;
  check_shape("the part", part, shape);
  if (part.numel() == 0) return;
  const size_t bytes = part.size_bytes() / static_cast<size_t>(part.size(0) * local);
  for (int64_t batch = 0; batch < whole.size(0); ++batch) {
    int64_t at = batch * local;
    for (const Run& run : runs)
      for (int64_t i = 0; i < run.count; ++i, ++at) {
        const int64_t position = batch * length + run.first + i * run.stride;
        copy(whole.data() + static_cast<size_t>(position) * bytes, part.data() + static_cast<size_t>(at) * bytes,
             bytes);
      }
  }
}

}  // namespace

std::string_view name_of(Layout layout) {
  switch (layout) {
    case Layout::Contiguous: return "contiguous";
    case Layout::Zigzag: return "zigzag";
    case Layout::Striped: return "striped";
  }
  return "";
}

Interval split_piece(int64_t n, int64_t parts, int64_t i) {
  if (n < 0 || i < 0 || i >= parts)
    fail(ErrorKind::InvalidArgument,
         "piece " + std::to_string(i) + " of " + std::to_string(n) + " cut into " + std::to_string(parts));
  const int64_t each = n / parts, longer = n % parts;
  return {.begin = i * each + std::min(i, longer), .end = (i + 1) * each + std::min(i + 1, longer)};
}

std::vector<Run> runs_of(Layout layout, int64_t length, int parts, int part) {
  split_piece(length, parts, part);  // throws where there is no such part
  switch (layout) {
    case Layout::Contiguous: return {chunk_run(length, parts, part)};
    case Layout::Zigzag:
      return {chunk_run(length, 2 * parts, part), chunk_run(length, 2 * parts, 2 * parts - 1 - part)};
    case Layout::Striped:
      return {{.first = part, .count = std::max<int64_t>((length - part + parts - 1) / parts, 0), .stride = parts}};
  }
  return {};
}

std::vector<Run> sub_runs(const std::vector<Run>& runs, int64_t begin, int64_t end) {
  std::vector<Run> result;
  int64_t offset = 0;
  for (const Run& run : runs) {
    const int64_t from = std::clamp<int64_t>(begin - offset, 0, run.count),
                  to = std::clamp<int64_t>(end - offset, from, run.count);
    result.push_back({.first = run.first + from * run.stride, .count = to - from, .stride = run.stride});
    offset += run.count;
  }
  return result;
}

int64_t length_of(const std::vector<Run>& runs) {
  int64_t length = 0;
  for (const Run& run : runs) length += run.count;
  return length;
}

AttentionPlan plan_between(const std::vector<Run>& queries, const std::vector<Run>& keys, bool causal,
                           std::span<const int64_t> starts) {
  constexpr int64_t kWhole[] = {0, kEveryKey};
  const std::span<const int64_t> documents = starts.empty() ? std::span<const int64_t>(kWhole) : starts;
  AttentionPlan plan;
  int64_t q_offset = 0;
  for (const Run& query_run : queries) {
    for (size_t document = 0; document + 1 < documents.size(); ++document) {
      const Interval q = within(query_run, documents[document], documents[document + 1]);
      if (q.length() == 0) continue;
      QueryRange range{.begin = q_offset + q.begin, .end = q_offset + q.end, .keys = {}};
      int64_t k_offset = 0;
      for (const Run& key_run : keys) {
        const Interval k = within(key_run, documents[document], documents[document + 1]);
        add_keys(range, query_run, q, key_run, k, k_offset, causal);
        k_offset += key_run.count;
      }
      add_queries(plan, std::move(range));
    }
    q_offset += query_run.count;
  }
  return plan;
}

Tensor shard(const Tensor& whole, const std::vector<Run>& runs) {
  check_runs(runs, whole.size(1));
  Shape shape = whole.shape();
  shape[1] = length_of(runs);
  const Tensor part = Tensor::empty(shape, whole.dtype(), whole.device());
  for_each_token(whole, part, runs,
                 [](std::byte* position, std::byte* token, size_t bytes) { std::memcpy(token, position, bytes); });
  return part;
}

void unshard_into(const Tensor& whole, const Tensor& part, const std::vector<Run>& runs) {
  check_runs(runs, whole.size(1));
  if (part.dtype() != whole.dtype())
    fail(ErrorKind::InvalidArgument,
         "a part of " + std::string(name_of(part.dtype())) + " of a tensor of " + std::string(name_of(whole.dtype())));
  for_each_token(whole, part, runs,
                 [](std::byte* position, std::byte* token, size_t bytes) { std::memcpy(position, token, bytes); });
}

}  // namespace ranklint::runtime
