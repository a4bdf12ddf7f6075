// Attention over a sequence that is spread over ranks: Ulysses (U ranks), ring (R ranks), and both (U x R, J. Fang and
// S. Zhao, "USP", 2024). Ulysses is the case R = 1, ring the case U = 1; see exchange.h and ring.h for what they send.
//
// Ranks: a rank has place u in its Ulysses group and r in its ring group. The sequence is laid out over the R places of
// the ring (layout.h); what a place holds is cut into U contiguous pieces, one for each member of the Ulysses group. So
// the Ulysses exchange assembles exactly what the ring's place holds, for a share of the heads.
//
// Everything that ranks must agree on (shape, element type, mask, scale, layout, documents, whether this is possible at
// all) is settled once, in `create`: one all_gather of a few numbers per group, after which every rank knows what every
// rank said and all come to the same answer, so that no rank is left in a transfer because another one refused. Later
// on each rank is by itself: one that hands other tensors over than agreed on throws, and the group tells the others
// that it has.
#pragma once

#include <cstdint>
#include <vector>

#include "runtime/attention/attention.h"
#include "runtime/attention/exchange.h"
#include "runtime/attention/heads.h"
#include "runtime/attention/layout.h"
#include "runtime/attention/ring.h"
#include "runtime/group/process_group.h"

namespace ranklint::runtime {

struct SequenceShape {
  int64_t batch = 1;
  int64_t length = 0;  // of the whole sequence; need not divide by anything
  int64_t heads = 1, kv_heads = 1, head_dim = 1;
  DType dtype = DType::F32;
  bool causal = false;
  Layout layout = Layout::Contiguous;
  std::vector<int64_t> starts{};    // documents, as in packed_plan; empty: one
  bool allow_uneven_heads = false;  // let some ranks compute one head more than others
};

class SequenceParallel {
 public:
  // What the backward pass needs from the forward pass: this rank's heads of its ring place's tokens.
  struct Saved {
    Tensor q, k, v;
    AttentionOutput attention;
  };
  struct Forward {
    Tensor out;  // this rank's tokens, all heads, f32
    Saved saved;
  };

  // Collective over both groups. A default-made ProcessGroup stands for a group of this rank alone. The same error on
  // every rank, before any tensor is sent: ranks that differ in a number, heads that do not fit, starts that are none,
  // a kv_head_of. A rank that is no member of a group that it brings throws RankError. Without a workspace in `options`
  // it keeps one of its own.
  static Result<SequenceParallel> create(ProcessGroup ulysses, ProcessGroup ring, const SequenceShape& shape,
                                         const AttentionOptions& options = {});

  // The tokens of the whole sequence that this rank holds, in local order.
  const std::vector<Run>& runs() const { return own_runs_; }

  // q, k, v, dout and the results are this rank's tokens: shapes as in attention.h with length_of(runs()) tokens; q, k,
  // v of the type agreed on, dout of one type on all ranks; results are f32. Throws RankError for others.
  Forward forward(const Tensor& q, const Tensor& k, const Tensor& v);
  AttentionGradients backward(const Tensor& dout, const Saved& saved);

 private:
  SequenceParallel() = default;
  bool exchanges() const { return ulysses_.size() > 1; }

  ProcessGroup ulysses_, ring_;
  SequenceShape shape_;
  AttentionOptions options_;
  HeadSplit heads_;
  RingPlan ring_plan_;
  ExchangePlan q_exchange_, kv_exchange_;
  std::vector<Run> own_runs_;
};

}  // namespace ranklint::runtime
