#include "runtime/sharded/layout.h"

#include <algorithm>

#include "runtime/base/error.h"

namespace ranklint::runtime {

Range shard_range(int64_t n, int64_t ranks, int64_t rank) {
  const int64_t length = ceil_div(n, ranks);
  const int64_t start = std::min(rank * length, n);
  return {.start = start, .length = std::min(length, n - start)};
}

std::vector<Range> shard_ranges(int64_t n, int64_t ranks) {
  std::vector<Range> ranges;
  for (int64_t rank = 0; rank < ranks; ++rank) ranges.push_back(shard_range(n, ranks, rank));
  return ranges;
}

LocalPart local_shape_and_offset(const Shape& shape, const std::vector<int>& mesh_shape,
                                 const std::vector<int>& coordinate, const Placements& placements) {
  if (mesh_shape.size() != placements.size() || coordinate.size() != placements.size())
    fail(ErrorKind::InvalidArgument, "a mesh and placements of different numbers of dimensions");
  check_placements(placements, static_cast<int64_t>(mesh_shape.size()), static_cast<int64_t>(shape.size()));
  numel_of(shape);  // throws for a negative size
  for (size_t m = 0; m < placements.size(); ++m)
    if (coordinate[m] < 0 || coordinate[m] >= mesh_shape[m])
      fail(ErrorKind::InvalidArgument, "coordinate " + std::to_string(coordinate[m]) + " along a mesh dimension of " +
                                           std::to_string(mesh_shape[m]) + " ranks");
  LocalPart part{.shape = shape, .offset = Shape(shape.size(), 0)};
  for (size_t m = 0; m < placements.size(); ++m) {
    const Shard* shard = std::get_if<Shard>(&placements[m]);
    if (!shard) continue;
    const auto d = static_cast<size_t>(shard->dim);
    const Range range = shard_range(part.shape[d], mesh_shape[m], coordinate[m]);
    part.offset[d] += range.start;
    part.shape[d] = range.length;
  }
  return part;
}

}  // namespace ranklint::runtime
