#include <catch2/catch.hpp>

#include "runtime/loader/buckets.h"

namespace ranklint::runtime::test {

namespace {

std::vector<Box> split(const Box& box, int64_t most_elements) {
  const Pieces pieces(box, most_elements);
  std::vector<Box> out;
  for (int64_t k = 0; k < pieces.count(); ++k) out.push_back(pieces.at(k));
  return out;
}

std::vector<Bucket> buckets_of(const std::vector<BoxToMove>& boxes, uint64_t buffer_bytes) {
  Buckets buckets(boxes, buffer_bytes);
  std::vector<Bucket> out;
  while (std::optional<Bucket> bucket = buckets.next()) out.push_back(std::move(*bucket));
  return out;
}

}  // namespace

TEST_CASE("a box is cut by rows, and each row in turn where one is too large") {
  CHECK(split(whole_of({5, 4}), 8) == std::vector<Box>{{{0, 0}, {2, 4}}, {{2, 0}, {2, 4}}, {{4, 0}, {1, 4}}});
  CHECK(split(whole_of({2, 4}), 3) ==
        std::vector<Box>{{{0, 0}, {1, 3}}, {{0, 3}, {1, 1}}, {{1, 0}, {1, 3}}, {{1, 3}, {1, 1}}});
  CHECK(split({{3, 2}, {1, 3}}, 2) == std::vector<Box>{{{3, 2}, {1, 2}}, {{3, 4}, {1, 1}}});
  CHECK(split(whole_of({}), 1) == std::vector<Box>{whole_of({})});
  CHECK(split(whole_of({0, 4}), 8).empty());
}

TEST_CASE("the pieces of a box need no memory, however many they are") {
  const Pieces pieces(whole_of({int64_t{1} << 40, 3, 5}), 10);
  CHECK(pieces.count() == int64_t{2} << 40);
  CHECK(pieces.at(1) == Box{{0, 2, 0}, {1, 1, 5}});
  CHECK(pieces.at(pieces.count() - 2) == Box{{(int64_t{1} << 40) - 1, 0, 0}, {1, 2, 5}});
}

TEST_CASE("the largest buffer there can be takes all in one bucket") {
  CHECK(buckets_of({{0, whole_of({7}), 1}, {1, whole_of({9}), 1}}, UINT64_MAX).size() == 1);
}

TEST_CASE("no bucket is larger than the buffer, and every element is in exactly one") {
  const std::vector<BoxToMove> boxes = {
      {0, whole_of({7, 3}), 4}, {1, whole_of({}), 8}, {2, whole_of({100}), 2}, {3, whole_of({2, 2, 9}), 4}};
  for (uint64_t buffer : {8, 16, 33, 100, 10'000}) {
    uint64_t total = 0;
    for (const Bucket& bucket : buckets_of(boxes, buffer)) {
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
  CHECK(buckets_of(boxes, 32).size() == 2);
}

}  // namespace ranklint::runtime::test
