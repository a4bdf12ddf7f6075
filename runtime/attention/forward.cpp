// The forward pass: every KV head is packed once; then each piece of work takes a few panels of queries of one head
// through all blocks of keys that they see. A block is read from the cache once for all panels of the piece.
//
// The state of a panel is (maximum, sum, out'), as in the online softmax; it is divided out and transposed back at the end,
// and there joined with what is known of other keys.
#include <algorithm>
#include <array>
#include <cmath>

#include "runtime/attention/pack.h"
#include "runtime/attention/parallel.h"
#include "runtime/attention/prepare.h"
#include "runtime/attention/workspace.h"

namespace ranklint::runtime {

namespace {

constexpr int kPanels = 4;
constexpr double kLn2 = 0.6931471805599453;

// The packed keys and values of all heads: per (batch, KV head) `blocks` blocks of key_block keys.
struct PackedKeys {
  int64_t blocks = 0, tile_step = 0, slab_step = 0;  // elements of a block in k_tiles and in v_slabs
  FloatBuffer k_tiles, v_slabs;
};

enum class Output : uint8_t { Write, Join };

struct Forward {
  const Kernel& kernel;
  const AttentionShape& shape;
  const Tensor &q, &k, &v;
  const AttentionOutput& result;
  Output output_is;
  PackedKeys packed;
};

// A few panels of one query range.
struct Piece {
  const QueryRange* range = nullptr;
  int64_t first = 0, last = 0;  // queries, counted from the range's begin
};

// What a worker needs besides the packed keys.
struct Scratch {
  Scratch(const Kernel& kernel, int64_t head_dim, Workspace* workspace)
      : q(kPanels * head_dim * kernel.lanes, workspace),
        out(kPanels * round_up(head_dim, kernel.rows) * kernel.lanes, workspace),
        scores(static_cast<int64_t>(kernel.key_block) * kernel.lanes, workspace),
        maximum(kPanels * kernel.lanes),
        sum(kPanels * kernel.lanes),
        keep(kernel.lanes) {}
  FloatBuffer q, out, scores, maximum, sum, keep;
};

void pack_block(Forward& f, int64_t index) {
  const int64_t key_block = f.kernel.key_block, block = index % f.packed.blocks, head = index / f.packed.blocks;
  const int64_t begin = block * key_block, count = std::min(key_block, f.shape.k_len - begin);
  const HeadRows k = head_rows(f.k, head / f.shape.kv_heads, head % f.shape.kv_heads);
  const HeadRows v = head_rows(f.v, head / f.shape.kv_heads, head % f.shape.kv_heads);
  float* tiles = f.packed.k_tiles.data() + index * f.packed.tile_step;
  for (int64_t key = 0; key < count; key += f.kernel.rows)
    pack_transposed(k, begin + key, std::min<int64_t>(f.kernel.rows, count - key), f.kernel.rows, 1.0f, tiles + key * f.shape.head_dim);
  pack_columns(v, begin, count, key_block, f.kernel.rows, f.packed.v_slabs.data() + index * f.packed.slab_step);
}

ParallelStep packing(Forward& f, const AttentionOptions& options) {
  const int64_t key_block = f.kernel.key_block, heads = f.shape.batch * f.shape.kv_heads;
  f.packed.blocks = (f.shape.k_len + key_block - 1) / key_block;
  f.packed.tile_step = key_block * f.shape.head_dim;
  f.packed.slab_step = key_block * round_up(f.shape.head_dim, f.kernel.rows);
  f.packed.k_tiles = FloatBuffer(heads * f.packed.blocks * f.packed.tile_step, options.workspace.get());
  f.packed.v_slabs = FloatBuffer(heads * f.packed.blocks * f.packed.slab_step, options.workspace.get());
  return {heads * f.packed.blocks, [&f](int, int64_t index) { pack_block(f, index); }};
}

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

void begin_panels(const Forward& f, const Piece& piece, const HeadRows& q, const Scratch& scratch) {
  const int64_t lanes = f.kernel.lanes, head_dim = f.shape.head_dim;
  for (int64_t at = piece.first, panel = 0; at < piece.last; at += lanes, ++panel)
    pack_transposed(q, piece.range->begin + at, std::min(lanes, piece.last - at), lanes, f.shape.sign,
                    scratch.q.data() + panel * head_dim * lanes);
  std::fill_n(scratch.out.data(), kPanels * round_up(head_dim, f.kernel.rows) * lanes, 0.0f);
  std::fill_n(scratch.maximum.data(), kPanels * lanes, -kInfinity);
  std::fill_n(scratch.sum.data(), kPanels * lanes, 0.0f);
}

void attend(const Forward& f, const Piece& piece, int64_t kv_head, const KeyRange& keys, const Scratch& scratch) {
  const int64_t lanes = f.kernel.lanes, key_block = f.kernel.key_block, head_dim = f.shape.head_dim;
  const int64_t out_rows = round_up(head_dim, f.kernel.rows);
  for (int64_t block = keys.begin / key_block; block * key_block < keys.end; ++block) {
    const int64_t index = kv_head * f.packed.blocks + block;
    for (int64_t at = piece.first, panel = 0; at < piece.last; at += lanes, ++panel) {
      const BlockMask mask = mask_of(keys, at, block * key_block, key_block);
      if (!sees_any(mask, f.kernel.lanes)) continue;
      f.kernel.forward({.factor = f.shape.factor,
                        .q = scratch.q.data() + panel * head_dim * lanes,
                        .k_tiles = f.packed.k_tiles.data() + index * f.packed.tile_step,
                        .v_slab = f.packed.v_slabs.data() + index * f.packed.slab_step,
                        .head_dim = static_cast<int>(head_dim),
                        .out_tiles = static_cast<int>(out_rows / f.kernel.rows),
                        .mask = mask,
                        .scores = scratch.scores.data(),
                        .out = scratch.out.data() + panel * out_rows * lanes,
                        .maximum = scratch.maximum.data() + panel * lanes,
                        .sum = scratch.sum.data() + panel * lanes});
    }
  }
}

// Of one query's output: what it is divided by, and the weight that what is there keeps.
struct Weights {
  float divisor = 1, keep = 0;
};

// The weights where these keys sum up to `sum` above `maximum`, and the log-sum-exp of all keys. A sum of 0: none is seen.
Weights write_row(double maximum, float sum, double& lse) {
  lse = sum > 0 ? maximum + std::log(static_cast<double>(sum)) : -kInfinity;
  return {.divisor = sum > 0 ? sum : 1.0f};  // out' is 0 there
}

Weights join_row(double maximum, float sum, double& lse) {
  if (!(sum > 0)) return {.keep = 1};
  const double here = maximum + std::log(static_cast<double>(sum)), before = lse;
  const double less = std::exp(-std::abs(here - before)), share = 1 / (1 + less);  // of the greater one
  lse = std::max(here, before) + std::log1p(less);
  const bool greater = here >= before;
  return {.divisor = static_cast<float>(sum / (greater ? share : less * share)), .keep = static_cast<float>(greater ? less * share : share)};
}

void end_panels(const Forward& f, const Piece& piece, int64_t batch, int64_t head, const Scratch& scratch) {
  const int64_t lanes = f.kernel.lanes, head_dim = f.shape.head_dim, out_rows = round_up(head_dim, f.kernel.rows);
  const int64_t step = f.shape.heads * head_dim;
  const bool joins = f.output_is == Output::Join;
  float* out = f.result.out.as<float>().data() + batch * f.shape.q_len * step + head * head_dim;
  double* lse = f.result.lse.as<double>().data() + (batch * f.shape.heads + head) * f.shape.q_len;
  for (int64_t at = piece.first, panel = 0; at < piece.last; at += lanes, ++panel) {
    const int64_t row = piece.range->begin + at, count = std::min(lanes, piece.last - at);
    float* sum = scratch.sum.data() + panel * lanes;
    const float* maximum = scratch.maximum.data() + panel * lanes;
    for (int64_t i = 0; i < count; ++i) {
      const double top = maximum[i] * f.shape.factor * kLn2;
      const Weights weights = joins ? join_row(top, sum[i], lse[row + i]) : write_row(top, sum[i], lse[row + i]);
      sum[i] = weights.divisor;
      scratch.keep.data()[i] = weights.keep;
    }
    unpack_panel(scratch.out.data() + panel * out_rows * lanes, head_dim, lanes, count, {.by = sum, .keep = scratch.keep.data()},
                 joins ? Unpack::Join : Unpack::Divide, out + row * step, step);
  }
}

void run_forward(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionPlan& plan, const AttentionOptions& options,
                 const AttentionShape& shape, const AttentionOutput& into, Output output_is) {
  Forward f{kernel_of(options), shape, q, k, v, into, output_is, {}};
  const std::vector<Piece> pieces = pieces_of(plan, f.kernel.lanes);
  std::vector<Scratch> scratches;
  for (int i = 0; i < std::max(options.threads, 1); ++i) scratches.emplace_back(f.kernel, shape.head_dim, options.workspace.get());
  // Head by head, as they were packed: who has packed a head's keys attends to them.
  const auto pieces_each = static_cast<int64_t>(pieces.size());
  const auto attend_piece = [&](int worker, int64_t i) {
    const int64_t row = i / pieces_each, batch = row / shape.heads, head = row % shape.heads;
    const Piece& piece = pieces[static_cast<size_t>(i % pieces_each)];
    const Scratch& scratch = scratches[static_cast<size_t>(worker)];
    const int64_t kv_head = batch * shape.kv_heads + shape.kv_head_of[static_cast<size_t>(head)];
    begin_panels(f, piece, head_rows(q, batch, head), scratch);
    for (const KeyRange& keys : piece.range->keys) attend(f, piece, kv_head, keys, scratch);
    end_panels(f, piece, batch, head, scratch);
  };
  parallel_steps(options.threads, std::array<ParallelStep, 2>{packing(f, options), {shape.batch * shape.heads * pieces_each, attend_piece}});
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

void join_attention(const Tensor& q, const Tensor& k, const Tensor& v, const AttentionPlan& plan, const AttentionOptions& options,
                    const AttentionOutput& into) {
  const AttentionShape shape = check_attention(q, k, v, plan, options);
  check_shape("out", into.out, q.shape());
  check_shape("lse", into.lse, {shape.batch, shape.heads, shape.q_len});
  AttentionPlan seeing = plan;
  std::erase_if(seeing, [](const QueryRange& range) { return range.keys.empty(); });  // they stay as they are
  run_forward(q, k, v, seeing, options, shape, into, Output::Join);
}

}  // namespace ranklint::runtime
