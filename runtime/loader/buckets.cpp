#include "runtime/loader/buckets.h"

#include <algorithm>

namespace ranklint::runtime {

Pieces::Pieces(const Box& box, int64_t most_elements) : box_(box), cut_dimensions_(box.sizes.size()) {
  if (is_empty(box)) return;
  int64_t row_elements = 1;
  while (cut_dimensions_ > 0 && box.sizes[cut_dimensions_ - 1] <= most_elements / row_elements)
    row_elements *= box.sizes[--cut_dimensions_];
  rows_ = most_elements / row_elements;
  count_ = 1;
  for (size_t d = 0; d < cut_dimensions_; ++d)
    count_ *= d + 1 == cut_dimensions_ ? ceil_div(box.sizes[d], rows_) : box.sizes[d];
}

Box Pieces::at(int64_t k) const {
  Box piece = box_;
  for (size_t d = cut_dimensions_; d-- > 0;) {
    const int64_t rows = d + 1 == cut_dimensions_ ? rows_ : 1, pieces = ceil_div(box_.sizes[d], rows);
    const int64_t first = k % pieces * rows;
    piece.offsets[d] += first;
    piece.sizes[d] = std::min(rows, box_.sizes[d] - first);
    k /= pieces;
  }
  return piece;
}

static int64_t elements_in(uint64_t buffer_bytes, size_t element_bytes) {
  return static_cast<int64_t>(std::min<uint64_t>(buffer_bytes / element_bytes, INT64_MAX));
}

std::optional<Bucket> Buckets::next() {
  Bucket bucket;
  for (; box_ < boxes_.size(); ++box_, piece_ = 0) {
    const BoxToMove& move = boxes_[box_];
    const Pieces pieces(move.box, elements_in(buffer_bytes_, move.element_bytes));
    for (; piece_ < pieces.count(); ++piece_) {
      Box box = pieces.at(piece_);
      const uint64_t size_bytes = static_cast<uint64_t>(numel_of(box.sizes)) * move.element_bytes;
      if (size_bytes > buffer_bytes_ - bucket.size_bytes) return bucket;
      bucket.pieces.push_back({move.tensor, std::move(box), bucket.size_bytes});
      bucket.size_bytes += size_bytes;
    }
  }
  if (bucket.pieces.empty()) return std::nullopt;
  return bucket;
}

}  // namespace ranklint::runtime
