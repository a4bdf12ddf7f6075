// The backward pass from the saved log-sum-exp, recomputing the probabilities block by block.
//
// A KV head's keys are cut into parts, how many follows from their number alone, and dQ is summed part by part: over
// the keys of each part first, then over the parts in their order. With few heads each part is a piece of work of its
// own and leaves its share of dQ in a buffer of its own; with heads enough for all threads, one worker takes all parts
// of a head and adds to dQ as it goes, to the same bits. A piece owns dK and dV of its keys, summed over the group's
// query heads and over all queries, always in the same order. So no sum depends on which thread came first, on how many
// there are, or on what other heads there are.
//
// Per block of panels x keys (kernel.h): P' and dS' into scratch and dQ += dS K, panel by panel; then dV += P dO and
// dK += dS Q over all panels at once, so that a tile of gradients is read and written once per block.
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

constexpr int kPanels = 8;  // at most
constexpr int64_t kMostParts = 8;
constexpr int64_t kPartBlocks = 8;  // key blocks that a part has at least
constexpr double kLog2E = 1.4426950408889634;

struct Backward {
  const Kernel& kernel;
  const AttentionShape& shape;
  const AttentionPlan plan;  // with every query
  const Tensor &dout, &q, &k, &v, &out, &lse;
  const AttentionGradients& into;
  Dq dq_is;
  Workspace* workspace = nullptr;
  int64_t key_blocks = 0, parts = 1;
  int64_t width() const { return row_width(shape, kernel); }
  // Panels at hand: with larger heads fewer, so that they and a block of keys stay in the second cache.
  int64_t panels() const { return shape.head_dim <= 64 ? kPanels : kPanels / 2; }
  bool apart = false;      // each part is a piece of work
  FloatBuffer dq_parts{};  // [parts][batch, q_len, heads, head_dim] when apart

  int64_t part_begin(int64_t part) const { return key_blocks * part / parts; }  // in blocks
  bool adds_to_dq(int64_t part) const { return !apart && (part > 0 || dq_is == Dq::Add); }
  // Where a part's share of a head's dq begins; rows are `heads * head_dim` apart.
  float* dq_of(int64_t batch, int64_t head, int64_t part) const {
    float* whole = apart ? dq_parts.data() + part * into.dq.numel() : into.dq.as<float>().data();
    return whole + (batch * shape.q_len * shape.heads + head) * shape.head_dim;
  }
};

// The parts that a piece of work takes.
struct Parts {
  int64_t begin, end;
};

// The packed keys of one KV head in some parts, and the gradients gathered for them.
struct Keys {
  Keys(const Backward& b, Parts parts) : first_block(b.part_begin(parts.begin)), last_block(b.part_begin(parts.end)) {
    const int64_t rows = (last_block - first_block) * b.kernel.key_block;
    for (FloatBuffer* each : {&k_columns, &v_columns, &dk, &dv}) *each = FloatBuffer(rows * b.width(), b.workspace);
    begun.resize(static_cast<size_t>(rows / b.kernel.tile_rows));
  }
  int64_t first_block, last_block;
  FloatBuffer k_columns, v_columns;  // of block after block
  FloatBuffer dk, dv;                // rows, b.width() apart
  std::vector<bool> begun;           // tiles of them that are set
};

// What belongs to the panels at hand.
struct Panels {
  explicit Panels(const Backward& b) {
    const int64_t lanes = b.panels() * b.kernel.lanes;
    for (FloatBuffer* each : {&q, &dout, &q_columns, &dout_columns, &dq})
      *each = FloatBuffer(lanes * b.width(), b.workspace);
    for (FloatBuffer* each : {&lse, &lse_rest, &delta}) *each = FloatBuffer(lanes, b.workspace);
    for (FloatBuffer* each : {&p, &ds}) *each = FloatBuffer(lanes * b.kernel.key_block, b.workspace);
  }
  FloatBuffer q, dout, q_columns, dout_columns, dq, lse, lse_rest, delta, p, ds;
  std::array<bool, kPanels> begun{};  // is a panel's dq set?
  int64_t first = 0, last = 0;        // queries, counted from the range's begin
  int count = 0;                      // panels
};

void pack_keys(const Backward& b, int64_t batch, int64_t kv_head, const Keys& keys) {
  const HeadRows k = head_rows(b.k, batch, kv_head), v = head_rows(b.v, batch, kv_head);
  const int64_t key_block = b.kernel.key_block;
  for (int64_t block = keys.first_block; block < keys.last_block; ++block) {
    const int64_t begin = block * key_block, count = std::min(key_block, b.shape.k_len - begin);
    const int64_t at = (block - keys.first_block) * key_block;
    pack_columns(b.kernel, k, begin, count, key_block, keys.k_columns.data() + at * b.width());
    pack_columns(b.kernel, v, begin, count, key_block, keys.v_columns.data() + at * b.width());
  }
}

void pack_queries(const Backward& b, const QueryRange& range, int64_t batch, int64_t head, Panels& panels) {
  const int64_t stats = (batch * b.shape.heads + head) * b.shape.q_len;
  const double* lse = b.lse.as<double>().data() + stats;
  const int64_t queries = panels.last - panels.first, row = range.begin + panels.first;
  const int64_t length = panels.count * b.kernel.lanes;
  const HeadRows dout = head_rows(b.dout, batch, head), out = head_rows(b.out, batch, head);
  pack_columns(b.kernel, head_rows(b.q, batch, head), row, queries, length, panels.q_columns.data());
  pack_columns(b.kernel, dout, row, queries, length, panels.dout_columns.data());
  pack_panels(b.kernel, panels.q_columns.data(), length, b.width(), b.shape.sign, panels.q.data());
  pack_panels(b.kernel, panels.dout_columns.data(), length, b.width(), 1, panels.dout.data());
  for (int64_t i = 0; i < length; ++i) {
    prefetch_row(out, row + i + kRowsAhead);
    const bool sees = i < queries && lse[row + i] > -kInfinity;
    const double exact = sees ? lse[row + i] * kLog2E : 0.0;
    panels.lse.data()[i] = sees ? static_cast<float>(exact) : kInfinity;
    panels.lse_rest.data()[i] = static_cast<float>(exact - static_cast<float>(exact));
    panels.delta.data()[i] = sees ? static_cast<float>(dot_of_rows(b.kernel, dout, out, row + i)) : 0.0f;
  }
}

// P', dS' and dQ of one panel in one block.
void through_kernel(const Backward& b, const Keys& keys, int64_t block, int panel, const BlockMask& mask,
                    Panels& panels) {
  const int64_t lanes = b.kernel.lanes, key_block = b.kernel.key_block, width = b.width();
  const int64_t at = (block - keys.first_block) * key_block;
  b.kernel.backward({.factor = b.shape.factor,
                     .q = panels.q.data() + panel * width * lanes,
                     .dout = panels.dout.data() + panel * width * lanes,
                     .k_columns = keys.k_columns.data() + at * width,
                     .v_columns = keys.v_columns.data() + at * width,
                     .head_dim = static_cast<int>(b.shape.head_dim),
                     .width = static_cast<int>(width),
                     .mask = mask,
                     .lse = panels.lse.data() + panel * lanes,
                     .lse_rest = panels.lse_rest.data() + panel * lanes,
                     .delta = panels.delta.data() + panel * lanes,
                     .p = panels.p.data() + panel * key_block * lanes,
                     .ds = panels.ds.data() + panel * key_block * lanes,
                     .first = !std::exchange(panels.begun[static_cast<size_t>(panel)], true),
                     .dq = panels.dq.data() + panel * lanes * width});
}

// dV += P dO and dK += dS Q for the keys [first, last) of a block.
void add_key_gradients(const Backward& b, Keys& keys, int64_t block, const std::array<BlockMask, kPanels>& masks,
                       int first, int last, const Panels& panels) {
  const int rows = b.kernel.tile_rows, lanes = b.kernel.lanes;
  std::array<int, kPanels> first_lane;
  for (int key = first / rows * rows; key < last; key += rows) {
    for (size_t panel = 0; panel < static_cast<size_t>(panels.count); ++panel) {
      const bool idle = !sees_any(masks[panel], lanes);
      first_lane[panel] = idle ? lanes : std::clamp(key - masks[panel].limit + 1, 0, lanes);
    }
    const int64_t row = (block - keys.first_block) * b.kernel.key_block + key, at = row * b.width();
    std::vector<bool>::reference begun = keys.begun[static_cast<size_t>(row / rows)];
    GradientTile tile{.weights = panels.p.data() + key * lanes,
                      .values = panels.dout_columns.data(),
                      .queries = panels.count * lanes,
                      .first_lane = first_lane.data(),
                      .panels = panels.count,
                      .width = static_cast<int>(b.width()),
                      .gradient = keys.dv.data() + at,
                      .add = begun};
    b.kernel.gradient(tile);
    tile.weights = panels.ds.data() + key * lanes;
    tile.values = panels.q_columns.data();
    tile.gradient = keys.dk.data() + at;
    b.kernel.gradient(tile);
    begun = true;
  }
}

void through_block(const Backward& b, const KeyRange& range, Keys& keys, int64_t block, Panels& panels) {
  const int64_t lanes = b.kernel.lanes, key_block = b.kernel.key_block;
  std::array<BlockMask, kPanels> masks;
  bool any = false;
  for (int panel = 0; panel < panels.count; ++panel) {
    BlockMask& mask = masks[static_cast<size_t>(panel)];
    mask = mask_of(range, panels.first + panel * lanes, block * key_block, key_block);
    if (!sees_any(mask, b.kernel.lanes)) continue;
    any = true;
    through_kernel(b, keys, block, panel, mask, panels);
  }
  if (any) add_key_gradients(b, keys, block, masks, masks[0].first, masks[0].count, panels);
}

// Rows of a head's gradient, `step` apart there.
void store_rows(const Backward& b, const float* rows, int64_t count, float factor, Unpack how, float* to,
                int64_t step) {
  for (int64_t i = 0; i < count; ++i) {
    prefetch_row(to + (i + kRowsAhead) * step, b.shape.head_dim * static_cast<int64_t>(sizeof(float)));
    b.kernel.unpack(
        {.how = how, .by = factor, .row = rows + i * b.width(), .head_dim = b.shape.head_dim, .to = to + i * step});
  }
}

// The dq of the panels' queries from `first` on, counted as panels.first is.
void store_dq(const Backward& b, const QueryRange& range, int64_t first, int64_t batch, int64_t head, int64_t part,
              const Panels& panels) {
  const int64_t step = b.shape.heads * b.shape.head_dim;
  store_rows(b, panels.dq.data() + (first - panels.first) * b.width(), panels.last - first, b.shape.scale,
             b.adds_to_dq(part) ? Unpack::AddProduct : Unpack::Multiply,
             b.dq_of(batch, head, part) + (range.begin + first) * step, step);
}

// Queries [begin, end) see nothing of a part: a share that changes no sum, not even the sign of its zero.
void store_no_dq(const Backward& b, int64_t begin, int64_t end, int64_t batch, int64_t head, int64_t part) {
  const int64_t head_dim = b.shape.head_dim, step = b.shape.heads * head_dim;
  if (b.adds_to_dq(part)) return;
  for (int64_t query = begin; query < end; ++query)
    std::fill_n(b.dq_of(batch, head, part) + query * step, head_dim, part > 0 || b.dq_is == Dq::Add ? -0.0f : 0.0f);
}

// The first query of a range that sees a key of the part; the ones after it do, too, and the ones before it do not.
int64_t first_query(const Backward& b, const QueryRange& range, int64_t part) {
  const int64_t begin = b.part_begin(part) * b.kernel.key_block, end = b.part_begin(part + 1) * b.kernel.key_block;
  int64_t first = range.end - range.begin;
  for (const KeyRange& key_range : range.keys)
    if (std::max(begin, key_range.begin) < std::min(end, key_range.end))
      first = std::min(first, std::max(begin - key_range.begin, int64_t{0}) - key_range.diagonal);
  return std::max<int64_t>(first, 0);
}

// The panels at hand against the keys of one part.
void through_part(const Backward& b, const QueryRange& range, int64_t part, Keys& keys, Panels& panels) {
  const int64_t key_block = b.kernel.key_block;
  panels.begun = {};
  for (const KeyRange& key_range : range.keys) {
    const int64_t end = std::min(b.part_begin(part + 1), (key_range.end + key_block - 1) / key_block);
    for (int64_t block = std::max(b.part_begin(part), key_range.begin / key_block); block < end; ++block)
      through_block(b, key_range, keys, block, panels);
  }
  zero_unless_begun(panels.begun, panels.count, panels.dq.data(), b.kernel.lanes * b.width());
}

void through_range(const Backward& b, const QueryRange& range, int64_t batch, int64_t head, Parts parts, Keys& keys,
                   Panels& panels) {
  const int64_t step = b.panels() * b.kernel.lanes, length = range.end - range.begin;
  std::vector<int64_t> first;  // of each part
  for (int64_t part = parts.begin; part < parts.end; ++part) {
    first.push_back(first_query(b, range, part));
    store_no_dq(b, range.begin, range.begin + first.back(), batch, head, part);
  }
  for (int64_t at = *std::min_element(first.begin(), first.end()) / step * step; at < length; at += step) {
    panels.first = at;
    panels.last = std::min(at + step, length);
    panels.count = static_cast<int>((panels.last - at + b.kernel.lanes - 1) / b.kernel.lanes);
    pack_queries(b, range, batch, head, panels);
    for (int64_t part = parts.begin; part < parts.end; ++part) {
      const int64_t from = std::max(at, first[static_cast<size_t>(part - parts.begin)]);
      if (from >= panels.last) continue;
      through_part(b, range, part, keys, panels);
      store_dq(b, range, from, batch, head, part, panels);
    }
  }
}

void store_key_gradient(const Backward& b, int64_t batch, int64_t kv_head, const Keys& keys, const FloatBuffer& from,
                        float factor, const Tensor& to) {
  const int64_t begin = keys.first_block * b.kernel.key_block, step = b.shape.kv_heads * b.shape.head_dim;
  const int64_t end = std::min(keys.last_block * b.kernel.key_block, b.shape.k_len);
  float* out = to.as<float>().data() + (batch * b.shape.k_len + begin) * step + kv_head * b.shape.head_dim;
  store_rows(b, from.data(), end - begin, factor, Unpack::Multiply, out, step);
}

void work_on(const Backward& b, int64_t batch, int64_t kv_head, Parts parts) {
  Keys keys(b, parts);
  Panels panels(b);
  pack_keys(b, batch, kv_head, keys);
  for (int64_t head = 0; head < b.shape.heads; ++head)
    if (b.shape.kv_head_of[static_cast<size_t>(head)] == kv_head)
      for (const QueryRange& range : b.plan) through_range(b, range, batch, head, parts, keys, panels);
  for (const FloatBuffer* each : {&keys.dk, &keys.dv})
    zero_unless_begun(keys.begun, static_cast<int64_t>(keys.begun.size()), each->data(),
                      b.kernel.tile_rows * b.width());
  store_key_gradient(b, batch, kv_head, keys, keys.dk, b.shape.scale, b.into.dk);
  store_key_gradient(b, batch, kv_head, keys, keys.dv, 1.0f, b.into.dv);
}

// into.dq := or += the sum over parts, in their order.
ParallelStep adding_parts(const Backward& b) {
  constexpr int64_t kChunk = 1 << 14;
  const int64_t count = b.into.dq.numel();
  float* dq = b.into.dq.as<float>().data();
  return {(count + kChunk - 1) / kChunk, [&b, count, dq](int, int64_t chunk) {
            const int64_t begin = chunk * kChunk, end = std::min(count, begin + kChunk);
            if (b.dq_is == Dq::Write) std::copy(b.dq_parts.data() + begin, b.dq_parts.data() + end, dq + begin);
            for (int64_t part = b.dq_is == Dq::Write ? 1 : 0; part < b.parts; ++part)
              for (int64_t i = begin; i < end; ++i) dq[i] += b.dq_parts.data()[part * count + i];
          }};
}

void check_gradients(const AttentionShape& shape, const Tensor& dout, const Tensor& q, const Tensor& k,
                     const Tensor& out, const Tensor& lse, const AttentionGradients& into) {
  for (const Tensor* each : {&dout, &out}) check_type(*each);
  check_shape("dout", dout, q.shape());
  check_shape("out", out, q.shape());
  check_shape("lse", lse, {shape.batch, shape.heads, shape.q_len});
  check_shape("dq", into.dq, q.shape());
  check_shape("dk", into.dk, k.shape());
  check_shape("dv", into.dv, k.shape());
}

}  // namespace

void attention_backward_from(const Tensor& k, const Tensor& v, const Tensor& dout, const Tensor& q, const Tensor& out,
                             const Tensor& lse, const AttentionPlan& plan, const AttentionOptions& options, Dq dq,
                             const AttentionGradients& into) {
  const AttentionShape shape = check_attention(q, k, v, plan, options);
  check_gradients(shape, dout, q, k, out, lse, into);
  Backward b{kernel_of(options),     shape, with_every_query(plan, shape.q_len), dout, q, k, v, out, lse, into, dq,
             options.workspace.get()};
  const int64_t heads = shape.batch * shape.kv_heads;
  b.key_blocks = (shape.k_len + b.kernel.key_block - 1) / b.kernel.key_block;
  b.parts = std::clamp<int64_t>(b.key_blocks / kPartBlocks, 1, kMostParts);
  b.apart = b.parts > 1 && options.threads > 1 && heads < int64_t{2} * options.threads;
  if (b.apart) b.dq_parts = FloatBuffer(b.parts * q.numel(), b.workspace);
  std::vector<ParallelStep> steps;
  // The first keys of a causal mask are seen by most queries: parts are taken in order.
  steps.push_back({heads * (b.apart ? b.parts : 1), [&b, heads](int, int64_t i) {
                     const Parts parts = b.apart ? Parts{i / heads, i / heads + 1} : Parts{0, b.parts};
                     work_on(b, i % heads / b.shape.kv_heads, i % heads % b.shape.kv_heads, parts);
                   }});
  if (b.apart) steps.push_back(adding_parts(b));
  parallel_steps(options.threads, steps, helpers_of(b.workspace));
}

AttentionGradients attention_backward(const Tensor& dout, const Tensor& q, const Tensor& k, const Tensor& v,
                                      const Tensor& out, const Tensor& lse, const AttentionPlan& plan,
                                      const AttentionOptions& options) {
  Workspace* const workspace = options.workspace.get();
  const AttentionGradients into{.dq = empty_from(workspace, q.shape()),
                                .dk = empty_from(workspace, k.shape()),
                                .dv = empty_from(workspace, v.shape())};
  attention_backward_from(k, v, dout, q, out, lse, plan, options, Dq::Write, into);
  return into;
}

}  // namespace ranklint::runtime
