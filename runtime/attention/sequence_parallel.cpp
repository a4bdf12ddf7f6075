#include "runtime/attention/sequence_parallel.h"

#include <algorithm>
#include <bit>
#include <string>

#include "runtime/attention/agree.h"
#include "runtime/attention/prepare.h"
#include "runtime/attention/workspace.h"
#include "runtime/base/fingerprint.h"

namespace ranklint::runtime {

namespace {

int size_of(const ProcessGroup& group) { return std::max(group.size(), 1); }
int rank_of(const ProcessGroup& group) { return std::max(group.rank(), 0); }

// A number that differs when the documents do.
int64_t fingerprint_of(const std::vector<int64_t>& starts) {
  Fingerprint all;
  for (int64_t start : starts) all.add(static_cast<uint64_t>(start));
  return static_cast<int64_t>(all.value());
}

Status agree(ProcessGroup& ulysses, ProcessGroup& ring, const SequenceShape& s, const AttentionOptions& options) {
  const NamedNumber numbers[] = {{"the Ulysses degree", size_of(ulysses)},
                                 {"the ring degree", size_of(ring)},
                                 {"batch", s.batch},
                                 {"length", s.length},
                                 {"heads", s.heads},
                                 {"kv_heads", s.kv_heads},
                                 {"head_dim", s.head_dim},
                                 {"dtype", static_cast<int64_t>(s.dtype)},
                                 {"causal", s.causal},
                                 {"layout", static_cast<int64_t>(s.layout)},
                                 {"the number of documents", static_cast<int64_t>(s.starts.size())},
                                 {"the fingerprint of the documents", fingerprint_of(s.starts)},
                                 {"allow_uneven_heads", s.allow_uneven_heads},
                                 {"whether there is a scale", options.scale.has_value()},
                                 {"the bits of the scale", std::bit_cast<int32_t>(options.scale.value_or(0.0f))},
                                 {"the length of kv_head_of", static_cast<int64_t>(options.kv_head_of.size())}};
  return agree_on(ulysses, ring, numbers);
}

// What is the same on every rank, once they agree.
Status check(const SequenceShape& s, const AttentionOptions& options) {
  const auto invalid = [](std::string message) {
    return Status(Error{.kind = ErrorKind::InvalidArgument, .message = std::move(message)});
  };
  if (!is_packable(s.dtype))
    return Error{.kind = ErrorKind::Unsupported, .message = "attention on " + std::string(name_of(s.dtype))};
  if (!options.kv_head_of.empty())
    return invalid("kv_head_of can not be given: which heads a rank has follows from the rule of attention.h");
  if (s.batch < 0 || s.length < 0 || s.head_dim < 1) return invalid("a batch, a length or a head_dim below its least");
  if (s.starts.empty()) return ok();
  if (s.starts.front() != 0 || s.starts.back() != s.length || !std::is_sorted(s.starts.begin(), s.starts.end()))
    return invalid("the starts of documents must begin with 0, ascend and end with the length, " +
                   std::to_string(s.length));
  return ok();
}

ExchangePlan exchange_plan(const std::vector<Run>& place, const std::vector<Interval>& heads) {
  ExchangePlan plan{.tokens = {}, .heads = heads};
  const auto members = static_cast<int64_t>(heads.size());
  for (int64_t member = 0; member < members; ++member)
    plan.tokens.push_back(split_piece(length_of(place), members, member).length());
  return plan;
}

}  // namespace

Result<SequenceParallel> SequenceParallel::create(ProcessGroup ulysses, ProcessGroup ring, const SequenceShape& shape,
                                                  const AttentionOptions& options) {
  if (const Status agreed = agree(ulysses, ring, shape, options); !agreed) return agreed.error();
  if (const Status checked = check(shape, options); !checked) return checked.error();
  const Result<HeadSplit> heads = split_heads(shape.heads, shape.kv_heads, size_of(ulysses), shape.allow_uneven_heads);
  if (!heads) return heads.error();

  SequenceParallel made;
  made.ulysses_ = std::move(ulysses);
  made.ring_ = std::move(ring);
  made.shape_ = shape;
  made.heads_ = *heads;
  made.options_ = options;
  if (!made.options_.workspace) made.options_.workspace = std::make_shared<Workspace>();
  made.options_.kv_head_of = heads->kv_head_of(shape.heads, shape.kv_heads, rank_of(made.ulysses_));
  made.ring_plan_ = {.runs = {}, .causal = shape.causal, .starts = shape.starts};
  for (int place = 0; place < size_of(made.ring_); ++place)
    made.ring_plan_.runs.push_back(runs_of(shape.layout, shape.length, size_of(made.ring_), place));
  const std::vector<Run>& place = made.ring_plan_.runs[static_cast<size_t>(rank_of(made.ring_))];
  const Interval own = split_piece(length_of(place), size_of(made.ulysses_), rank_of(made.ulysses_));
  made.own_runs_ = sub_runs(place, own.begin, own.end);
  made.q_exchange_ = exchange_plan(place, made.heads_.q_heads);
  made.kv_exchange_ = exchange_plan(place, made.heads_.kv_heads);
  return made;
}

SequenceParallel::Forward SequenceParallel::forward(const Tensor& q, const Tensor& k, const Tensor& v) {
  const int64_t tokens = length_of(own_runs_);
  for (const Tensor* each : {&q, &k, &v})
    if (each->dtype() != shape_.dtype)
      fail(ErrorKind::InvalidArgument, "q, k, v of " + std::string(name_of(each->dtype())) + ", not " +
                                           std::string(name_of(shape_.dtype)) + " as agreed on");
  check_shape("q", q, {shape_.batch, tokens, shape_.heads, shape_.head_dim});
  check_shape("k", k, {shape_.batch, tokens, shape_.kv_heads, shape_.head_dim});
  check_shape("v", v, k.shape());
  Workspace* const workspace = options_.workspace.get();
  Saved saved{.q = q, .k = k, .v = v, .attention = {}};
  if (exchanges()) {
    saved.q = gather_tokens(ulysses_, q, q_exchange_, workspace);
    saved.k = gather_tokens(ulysses_, k, kv_exchange_, workspace);
    saved.v = gather_tokens(ulysses_, v, kv_exchange_, workspace);
  }
  saved.attention = ring_forward(ring_, saved.q, saved.k, saved.v, ring_plan_, options_);
  const Tensor out = exchanges() ? scatter_tokens(ulysses_, saved.attention.out, q_exchange_, shape_.heads, workspace)
                                 : saved.attention.out;
  return {.out = out, .saved = std::move(saved)};
}

AttentionGradients SequenceParallel::backward(const Tensor& dout, const Saved& saved) {
  check_shape("dout", dout, {shape_.batch, length_of(own_runs_), shape_.heads, shape_.head_dim});
  Workspace* const workspace = options_.workspace.get();
  const Tensor gathered = exchanges() ? gather_tokens(ulysses_, dout, q_exchange_, workspace) : dout;
  AttentionGradients g =
      ring_backward(ring_, gathered, saved.q, saved.k, saved.v, saved.attention, ring_plan_, options_);
  if (!exchanges()) return g;
  return {.dq = scatter_tokens(ulysses_, g.dq, q_exchange_, shape_.heads, workspace),
          .dk = scatter_tokens(ulysses_, g.dk, kv_exchange_, shape_.kv_heads, workspace),
          .dv = scatter_tokens(ulysses_, g.dv, kv_exchange_, shape_.kv_heads, workspace)};
}

}  // namespace ranklint::runtime
