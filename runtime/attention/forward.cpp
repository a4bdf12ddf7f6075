// The forward pass: each piece of work takes a few panels of queries of one head through all blocks of keys that they
// see. A worker packs a block of keys when it first needs it, and keeps it as long as it stays with the KV head.
//
// The state of a panel is (maximum, sum, out'), as in the online softmax; it is divided out at the end, and there
// joined with what is known of other keys.
#include <algorithm>
#include <array>
#include <cmath>
#include <utility>

#include "runtime/attention/pack.h"
#include "runtime/attention/parallel.h"
#include "runtime/attention/prepare.h"
#include "runtime/attention/workspace.h"

namespace ranklint::runtime {

namespace {

constexpr int kPanels = 4;
constexpr double kLn2 = 0.6931471805599453;

enum class Output : uint8_t { Write, Join };

struct Forward {
  const Kernel& kernel;
  const AttentionShape& shape;
  const Tensor &q, &k, &v;
  const AttentionOutput& result;
  Output output_is;
  int64_t width() const { return row_width(shape, kernel); }
};

// A few panels of one query range.
struct Piece {
  const QueryRange* range = nullptr;
  int64_t first = 0, last = 0;  // queries, counted from the range's begin
  int64_t begin() const { return range->begin + first; }
  int64_t panels(int64_t lanes) const { return (last - first + lanes - 1) / lanes; }
};

// The keys and values of one KV head, packed block by block.
struct PackedHead {
  PackedHead(const Forward& f, Workspace* workspace)
      : blocks((f.shape.k_len + f.kernel.key_block - 1) / f.kernel.key_block),
        k_columns(blocks * f.kernel.key_block * f.width(), workspace),
        v_columns(blocks * f.kernel.key_block * f.width(), workspace) {}
  void turn_to(const Forward& f, int64_t batch, int64_t kv_head);
  void need(const Forward& f, int64_t block);

  int64_t blocks;
  FloatBuffer k_columns, v_columns;
  HeadRows k, v;          // of the head
  std::vector<bool> has;  // of its blocks
};

// What a worker works in.
struct Scratch {
  Scratch(const Forward& f, Workspace* workspace)
      : keys(f, workspace),
        q_columns(kPanels * f.width() * f.kernel.lanes, workspace),
        q(kPanels * f.width() * f.kernel.lanes, workspace),
        out(kPanels * f.width() * f.kernel.lanes, workspace),
        scores(static_cast<int64_t>(f.kernel.key_block) * f.kernel.lanes, workspace),
        maximum(kPanels * f.kernel.lanes),
        sum(kPanels * f.kernel.lanes) {}
  PackedHead keys;
  FloatBuffer q_columns, q, out, scores, maximum, sum;
  std::array<bool, kPanels> begun{};  // has a panel seen a block, so that its `out` is set?
};

void PackedHead::turn_to(const Forward& f, int64_t batch, int64_t kv_head) {
  const HeadRows rows = head_rows(f.k, batch, kv_head);
  if (rows.data == k.data) return;
  k = rows;
  v = head_rows(f.v, batch, kv_head);
  has.assign(static_cast<size_t>(blocks), false);
}

void PackedHead::need(const Forward& f, int64_t block) {
  if (has[static_cast<size_t>(block)]) return;
  has[static_cast<size_t>(block)] = true;
  const int64_t key_block = f.kernel.key_block, begin = block * key_block,
                count = std::min(key_block, f.shape.k_len - begin);
  pack_columns(f.kernel, k, begin, count, key_block, k_columns.data() + begin * f.width());
  pack_columns(f.kernel, v, begin, count, key_block, v_columns.data() + begin * f.width());
}

// One piece for one head.
struct Task {
  const Piece& piece;
  int64_t batch, head;
};

std::vector<Piece> pieces_of(const AttentionPlan& plan, int lanes) {
  std::vector<Piece> pieces;
  const int64_t step = kPanels * lanes;
  for (const QueryRange& range : plan)
    for (int64_t first = 0; first < range.end - range.begin; first += step)
      pieces.push_back({.range = &range, .first = first, .last = std::min(first + step, range.end - range.begin)});
  // Under a causal mask the last queries are the most work: they come first.
  std::reverse(pieces.begin(), pieces.end());
  return pieces;
}

void begin_panels(const Forward& f, const Task& task, Scratch& scratch) {
  const int64_t lanes = f.kernel.lanes, count = task.piece.last - task.piece.first;
  const int64_t length = round_up(count, lanes);
  pack_columns(f.kernel, head_rows(f.q, task.batch, task.head), task.piece.begin(), count, length,
               scratch.q_columns.data());
  pack_panels(f.kernel, scratch.q_columns.data(), length, f.width(), f.shape.sign, scratch.q.data());
  scratch.begun = {};
  std::fill_n(scratch.maximum.data(), kPanels * lanes, -kInfinity);
  std::fill_n(scratch.sum.data(), kPanels * lanes, 0.0f);
}

void attend(const Forward& f, const Piece& piece, const KeyRange& keys, Scratch& scratch) {
  const int64_t lanes = f.kernel.lanes, key_block = f.kernel.key_block, width = f.width();
  const int64_t panels = piece.panels(lanes);
  for (int64_t block = keys.begin / key_block; block * key_block < keys.end; ++block) {
    const int64_t begin = block * key_block;
    if (!sees_any(mask_of(keys, piece.first + (panels - 1) * lanes, begin, key_block), f.kernel.lanes)) break;
    scratch.keys.need(f, block);
    for (int64_t panel = 0; panel < panels; ++panel) {
      const BlockMask mask = mask_of(keys, piece.first + panel * lanes, begin, key_block);
      if (!sees_any(mask, f.kernel.lanes)) continue;
      f.kernel.forward({.factor = f.shape.factor,
                        .q = scratch.q.data() + panel * width * lanes,
                        .k_columns = scratch.keys.k_columns.data() + begin * width,
                        .v_columns = scratch.keys.v_columns.data() + begin * width,
                        .head_dim = static_cast<int>(f.shape.head_dim),
                        .width = static_cast<int>(width),
                        .mask = mask,
                        .scores = scratch.scores.data(),
                        .first = !std::exchange(scratch.begun[static_cast<size_t>(panel)], true),
                        .out = scratch.out.data() + panel * width * lanes,
                        .maximum = scratch.maximum.data() + panel * lanes,
                        .sum = scratch.sum.data() + panel * lanes});
    }
  }
}

// What a query's output is divided by where these keys sum up to `sum` above `maximum`, and the log-sum-exp of all
// keys. A sum of 0: none is seen.
RowUnpack write_row(double maximum, float sum, double& lse) {
  lse = sum > 0 ? maximum + std::log(static_cast<double>(sum)) : -kInfinity;
  return {.how = Unpack::Divide, .by = sum > 0 ? sum : 1.0f};  // out' is 0 there
}

// The same, and the weight that what is there keeps.
RowUnpack join_row(double maximum, float sum, double& lse) {
  if (!(sum > 0)) return {.how = Unpack::Join, .keep = 1};
  const double here = maximum + std::log(static_cast<double>(sum)), before = lse;
  const double less = std::exp(-std::abs(here - before)), share = 1 / (1 + less);  // of the greater one
  lse = std::max(here, before) + std::log1p(less);
  const bool greater = here >= before;
  return {.how = Unpack::Join,
          .by = static_cast<float>(sum / (greater ? share : less * share)),
          .keep = static_cast<float>(greater ? less * share : share)};
}

void end_panels(const Forward& f, const Task& task, const Scratch& scratch) {
  const int64_t head_dim = f.shape.head_dim, step = f.shape.heads * head_dim, row = task.piece.begin();
  const bool joins = f.output_is == Output::Join;
  const int64_t lanes = f.kernel.lanes;
  zero_unless_begun(scratch.begun, task.piece.panels(lanes), scratch.out.data(), lanes * f.width());
  float* out = f.result.out.as<float>().data() + (task.batch * f.shape.q_len + row) * step + task.head * head_dim;
  double* lse = f.result.lse.as<double>().data() + (task.batch * f.shape.heads + task.head) * f.shape.q_len + row;
  for (int64_t i = 0; i < task.piece.last - task.piece.first; ++i) {
    prefetch_row(out + (i + kRowsAhead) * step, head_dim * static_cast<int64_t>(sizeof(float)));
    const float highest =
        scratch.maximum.data()[i] * f.shape.factor;  // rounded, as the terms of the sum were taken against it
    const double top = highest * kLn2;
    const float sum = scratch.sum.data()[i];
    RowUnpack row_out = joins ? join_row(top, sum, lse[i]) : write_row(top, sum, lse[i]);
    row_out.row = scratch.out.data() + i * f.width();
    row_out.head_dim = head_dim;
    row_out.to = out + i * step;
    f.kernel.unpack(row_out);
  }
}

void run_forward(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionPlan& plan,
                 const AttentionOptions& options, const AttentionShape& shape, const AttentionOutput& into,
                 Output output_is) {
  const Forward f{kernel_of(options), shape, q, k, v, into, output_is};
  const std::vector<Piece> pieces = pieces_of(plan, f.kernel.lanes);
  const auto each = static_cast<int64_t>(pieces.size()), count = shape.batch * shape.heads * each;
  std::vector<Scratch> scratches;
  for (int i = 0; i < workers_for(options.threads, count); ++i) scratches.emplace_back(f, options.workspace.get());
  parallel_for(
      options.threads, count,
      [&](int worker, int64_t i) {
        Scratch& scratch = scratches[static_cast<size_t>(worker)];
        const Task now{.piece = pieces[static_cast<size_t>(i % each)],
                       .batch = i / each / shape.heads,
                       .head = i / each % shape.heads};
        scratch.keys.turn_to(f, now.batch, shape.kv_head_of[static_cast<size_t>(now.head)]);
        begin_panels(f, now, scratch);
        for (const KeyRange& keys : now.piece.range->keys) attend(f, now.piece, keys, scratch);
        end_panels(f, now, scratch);
      },
      helpers_of(options.workspace.get()));
}

}  // namespace

AttentionOutput attention_forward(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionPlan& plan,
                                  const AttentionOptions& options) {
  const AttentionShape shape = check_attention(q, k, v, plan, options);
  Workspace* const workspace = options.workspace.get();
  const AttentionOutput result{.out = empty_from(workspace, q.shape()),
                               .lse = empty_from(workspace, {shape.batch, shape.heads, shape.q_len}, DType::F64)};
  run_forward(q, k, v, with_every_query(plan, shape.q_len), options, shape, result, Output::Write);
  return result;
}

void join_attention(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionPlan& plan,
                    const AttentionOptions& options, const AttentionOutput& into) {
  const AttentionShape shape = check_attention(q, k, v, plan, options);
  check_shape("out", into.out, q.shape());
  check_shape("lse", into.lse, {shape.batch, shape.heads, shape.q_len});
  AttentionPlan seeing = plan;
  std::erase_if(seeing, [](const QueryRange& range) { return range.keys.empty(); });  // they stay as they are
  run_forward(q, k, v, seeing, options, shape, into, Output::Join);
}

}  // namespace ranklint::runtime
