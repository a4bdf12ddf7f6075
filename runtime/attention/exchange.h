// The all-to-all of Ulysses: every member trades the heads of its tokens for all tokens of its heads (S. A. Jacobs et
// al., "DeepSpeed Ulysses", 2023).
//
// Before: [batch, tokens of this member, all heads, head_dim]. After: [batch, tokens of all members in group order,
// heads of this member, head_dim]. Moves only: no element is changed. Sent by a member per call: its tokens times the
// heads of the others; what it keeps is no part of the call.
#pragma once

#include <vector>

#include "runtime/attention/layout.h"
#include "runtime/group/process_group.h"

namespace ranklint::runtime {

class Workspace;

// Of each member: how many tokens it holds, and which heads it computes with (pieces may overlap).
struct ExchangePlan {
  std::vector<int64_t> tokens;
  std::vector<Interval> heads;
};

Tensor gather_tokens(ProcessGroup& group, const Tensor& tensor, const ExchangePlan& plan,
                     Workspace* workspace = nullptr);

// The way back. Where pieces of heads overlap, what comes for one head from several members is added in their order;
// `total_heads` is how many there are in all.
Tensor scatter_tokens(ProcessGroup& group, const Tensor& tensor, const ExchangePlan& plan, int64_t total_heads,
                      Workspace* workspace = nullptr);

}  // namespace ranklint::runtime
