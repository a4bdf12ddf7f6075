// How one tensor lies on the ranks of a mesh: a placement for each dimension of the mesh (torch.distributed.tensor).
//
//   Shard(d)     each rank along this mesh dimension holds a piece of tensor dimension d
//   Replicate    each holds all of it
//   Partial(op)  each holds a tensor of the whole shape; the value is their reduction
//
// Over a mesh [2, 4], {Shard(0), Replicate()} cuts the rows in two and keeps each half on four ranks. When several mesh
// dimensions shard the same tensor dimension, the left one cuts first and the right one cuts its piece again.
#pragma once

#include <compare>
#include <cstdint>
#include <string>
#include <variant>
#include <vector>

#include "runtime/group/call.h"

namespace ranklint::runtime {

struct Replicate {
  friend auto operator<=>(const Replicate&, const Replicate&) = default;
};
struct Shard {
  int64_t dim = 0;  // of the tensor, from the front
  friend auto operator<=>(const Shard&, const Shard&) = default;
};
struct Partial {
  ReduceOp op = ReduceOp::Sum;
  friend auto operator<=>(const Partial&, const Partial&) = default;
};

using Placement = std::variant<Replicate, Shard, Partial>;
using Placements = std::vector<Placement>;

bool is_replicate(const Placement& placement);
bool is_partial(const Placement& placement);
bool is_shard(const Placement& placement);

std::string to_string(const Placement& placement);    // "Shard(0)", "Partial(sum)"
std::string to_string(const Placements& placements);  // "[Shard(0), Replicate]"

// May the partial values be reduced in any order? A sum of maxima is not a maximum of sums; Sum beside Avg is fine.
bool reductions_commute(const Placements& placements);

// Throws RankError{InvalidArgument} unless there is a placement for each of `mesh_dims` and each Shard names one of the
// `tensor_dims`. {Unsupported} unless reductions commute.
void check_placements(const Placements& placements, int64_t mesh_dims, int64_t tensor_dims);

}  // namespace ranklint::runtime
