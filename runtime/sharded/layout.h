// Which part of a tensor a rank holds: pure arithmetic, no communication.
//
// A dimension of n over k ranks is cut as torch.chunk cuts it: pieces of c = ceil(n / k), so rank r holds
// [min(r*c, n), min((r+1)*c, n)). Where torch.chunk would return fewer than k pieces, the last ranks hold empty ones (5
// over 4: 2, 2, 1, 0), as torch's DTensor does. An empty piece starts where the array ends.
#pragma once

#include <vector>

#include "runtime/base/shape.h"
#include "runtime/sharded/placement.h"

namespace ranklint::runtime {

struct Range {
  int64_t start = 0;
  int64_t length = 0;
  friend bool operator==(const Range&, const Range&) = default;
};

// n >= 0, ranks >= 1, 0 <= rank < ranks.
Range shard_range(int64_t n, int64_t ranks, int64_t rank);
std::vector<Range> shard_ranges(int64_t n, int64_t ranks);  // of every rank

struct LocalPart {
  Shape shape;
  Shape offset;  // index of its first element in the whole tensor; in a dimension where it is empty, of its end
  friend bool operator==(const LocalPart&, const LocalPart&) = default;
};

// mesh_shape and coordinate have an entry per placement. Partial and Replicate hold the whole. Throws RankError where
// these do not fit together (check_placements), for a coordinate outside of the mesh and for a shape that there is not.
LocalPart local_shape_and_offset(const Shape& shape, const std::vector<int>& mesh_shape,
                                 const std::vector<int>& coordinate, const Placements& placements);

}  // namespace ranklint::runtime
