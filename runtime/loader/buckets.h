// What moves together: the tensors of a model cut into boxes, and boxes put into buckets of bounded size.
//
// Whoever passes data through a buffer needs memory for one bucket, whatever the size of the largest tensor. The cut
// follows from shapes and the buffer's size alone, so every rank makes the same one without a word from the others. A
// tensor is cut across its first dimension that is longer than 1; where even one row is too large, each row is cut in
// turn.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "runtime/loader/box.h"

namespace ranklint::runtime {

struct BucketPiece {
  size_t tensor = 0;  // index into what was planned
  Box box;
  uint64_t offset = 0;  // in the bucket, bytes
};

struct Bucket {
  std::vector<BucketPiece> pieces;
  uint64_t size_bytes = 0;
};

struct BoxToMove {
  size_t tensor = 0;
  Box box;
  size_t element_bytes = 0;  // at most the buffer's
};

// `box` as boxes of at most `most_elements` each, in row-major order; none of an empty box. They all follow from their
// number, so none is stored.
class Pieces {
 public:
  Pieces(const Box& box, int64_t most_elements);

  int64_t count() const { return count_; }
  Box at(int64_t k) const;

 private:
  Box box_;
  size_t cut_dimensions_ =
      0;  // the first ones; the last of them is cut into `rows_`, those before it into single indices
  int64_t rows_ = 1;
  int64_t count_ = 0;
};

// The buckets of boxes, one after another: only the current one is in memory. No bucket is larger than `buffer_bytes`,
// and empty boxes need none.
class Buckets {
 public:
  // `boxes` must outlive it.
  Buckets(std::span<const BoxToMove> boxes, uint64_t buffer_bytes) : boxes_(boxes), buffer_bytes_(buffer_bytes) {}

  std::optional<Bucket> next();  // nullopt after the last one

 private:
  std::span<const BoxToMove> boxes_;
  uint64_t buffer_bytes_;
  size_t box_ = 0;
  int64_t piece_ = 0;  // of that box
};

}  // namespace ranklint::runtime
