#include "runtime/loader/buckets.h"

#include <algorithm>

namespace ranklint::runtime {

// Every dimension before `dimension` has size 1.
static void split_at(const Box& box, size_t dimension, int64_t most_elements, std::vector<Box>& out) {
  while (dimension < box.sizes.size() && box.sizes[dimension] == 1) ++dimension;
  if (dimension == box.sizes.size() || numel_of(box.sizes) <= most_elements) {
    out.push_back(box);
    return;
  }
  const int64_t row_elements = numel_of(box.sizes) / box.sizes[dimension];
  const int64_t rows = std::max<int64_t>(1, most_elements / row_elements);
  Box piece = box;
  for (int64_t row = 0; row < box.sizes[dimension]; row += rows) {
    piece.offsets[dimension] = box.offsets[dimension] + row;
    piece.sizes[dimension] = std::min(rows, box.sizes[dimension] - row);
    split_at(piece, row_elements > most_elements ? dimension + 1 : box.sizes.size(), most_elements, out);
  }
}

std::vector<Box> split(const Box& box, int64_t most_elements) {
  std::vector<Box> out;
  if (!is_empty(box)) split_at(box, 0, most_elements, out);
  return out;
}

std::vector<Bucket> plan_buckets(std::span<const BoxToMove> boxes, uint64_t buffer_bytes) {
  std::vector<Bucket> buckets;
  for (const BoxToMove& move : boxes)
    for (Box& box : split(move.box, static_cast<int64_t>(buffer_bytes / move.element_bytes))) {
      const uint64_t size_bytes = static_cast<uint64_t>(numel_of(box.sizes)) * move.element_bytes;
      if (buckets.empty() || buckets.back().size_bytes + size_bytes > buffer_bytes) buckets.emplace_back();
      Bucket& bucket = buckets.back();
      bucket.pieces.push_back({move.tensor, std::move(box), bucket.size_bytes});
      bucket.size_bytes += size_bytes;
    }
  return buckets;
}

}  // namespace ranklint::runtime
