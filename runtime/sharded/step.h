// One step of a plan, carried out on this rank's tensor.
#pragma once

#include "runtime/group/process_group.h"
#include "runtime/sharded/plan.h"

namespace ranklint::runtime {

// local: this rank's tensor as step.from says; it is not changed, but may be part of the result.
// group: the ranks along step.mesh_dim; `rank()` is the coordinate. It is used only when collective_of(step) says so.
// whole: when step.from is Shard(d), the size of dimension d of what the members hold together.
//
// Shards of unequal length travel as they are, in the list forms of the collectives; torch pads them to ceil(n / k) and
// cuts the padding off again.
Tensor apply_step(const Step& step, const Tensor& local, int64_t whole, ProcessGroup& group, const OpOptions& options,
                  Site site);

// What rank `rank` of `ranks` gives so that reducing all with `op` yields `whole`: rank 0 keeps it and the others hold
// the neutral element; for Min, Max and Avg every rank keeps it.
Tensor partition(const Tensor& whole, ReduceOp op, int rank);

// The local slice of `whole` along `dim` for one of `ranks` ranks: a view when dim is 0.
Tensor shard_of(const Tensor& whole, int64_t dim, int64_t ranks, int64_t rank);
std::vector<Tensor> shards_of(const Tensor& whole, int64_t dim, int64_t ranks);

}  // namespace ranklint::runtime
