// What moves together: the tensors of a model cut into boxes, and boxes put into buckets of bounded size.
//
// Whoever passes data through a buffer needs memory for one bucket, whatever the size of the largest tensor. The cut
// follows from shapes and the buffer's size alone, so every rank makes the same one without a word from the others. A
// tensor is cut across its first dimension that is longer than 1; where even one row is too large, each row is cut in turn.
#pragma once

#include <cstdint>
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

// Empty boxes need no bucket. No bucket is larger than `buffer_bytes`.
std::vector<Bucket> plan_buckets(std::span<const BoxToMove> boxes, uint64_t buffer_bytes);

// `box` as boxes of at most `most_elements` each, in row-major order.
std::vector<Box> split(const Box& box, int64_t most_elements);

}  // namespace ranklint::runtime
