#include <catch2/catch.hpp>

#include "runtime/loader/buckets.h"

namespace ranklint::runtime::test {

TEST_CASE("a box is cut by rows, and each row in turn where one is too large") {
  CHECK(split(whole_of({5, 4}), 8) == std::vector<Box>{{{0, 0}, {2, 4}}, {{2, 0}, {2, 4}}, {{4, 0}, {1, 4}}});
  CHECK(split(whole_of({2, 4}), 3) == std::vector<Box>{{{0, 0}, {1, 3}}, {{0, 3}, {1, 1}}, {{1, 0}, {1, 3}}, {{1, 3}, {1, 1}}});
  CHECK(split({{3, 2}, {1, 3}}, 2) == std::vector<Box>{{{3, 2}, {1, 2}}, {{3, 4}, {1, 1}}});
  CHECK(split(whole_of({}), 1) == std::vector<Box>{whole_of({})});
  CHECK(split(whole_of({0, 4}), 8).empty());
}

TEST_CASE("no bucket is larger than the buffer, and every element is in exactly one") {
  const std::vector<BoxToMove> boxes = {{0, whole_of({7, 3}), 4}, {1, whole_of({}), 8}, {2, whole_of({100}), 2}, {3, whole_of({2, 2, 9}), 4}};
  for (uint64_t buffer : {8, 16, 33, 100, 10'000}) {
    uint64_t total = 0;
    for (const Bucket& bucket : plan_buckets(boxes, buffer)) {
      CHECK(bucket.size_bytes <= buffer);
      uint64_t offset = 0;
      for (const BucketPiece& piece : bucket.pieces) {
        CHECK(piece.offset == offset);
        offset += static_cast<uint64_t>(numel_of(piece.box.sizes)) * boxes[piece.tensor].element_bytes;
      }
      CHECK(offset == bucket.size_bytes);
      total += offset;
    }
    CHECK(total == 7 * 3 * 4 + 8 + 200 + 2 * 2 * 9 * 4);
  }
}

TEST_CASE("small tensors share a bucket") {
  const std::vector<BoxToMove> boxes = {{0, whole_of({4}), 4}, {1, whole_of({4}), 4}, {2, whole_of({4}), 4}};
  CHECK(plan_buckets(boxes, 32).size() == 2);
}

}  // namespace ranklint::runtime::test
