#include <catch2/catch.hpp>

#include <cstring>
#include <vector>

#include "runtime/loader/box.h"

namespace ranklint::runtime::test {

TEST_CASE("a range of rows is one run") {
  const Runs runs({{2, 0}, {3, 5}}, whole_of({8, 5}), {{2, 0}, {3, 5}}, 4);
  REQUIRE(runs.count() == 1);
  CHECK(runs.run_bytes() == 60);
  CHECK(runs.source(0) == 40);
  CHECK(runs.destination(0) == 0);
}

TEST_CASE("a range of columns is a run a row") {
  const Box part{{0, 2}, {4, 2}};
  const Runs runs(part, whole_of({4, 6}), part, 1);
  REQUIRE(runs.count() == 4);
  CHECK(runs.run_bytes() == 2);
  CHECK(std::vector<uint64_t>{runs.source(0), runs.source(1), runs.source(3)} == std::vector<uint64_t>{2, 8, 20});
  CHECK(std::vector<uint64_t>{runs.destination(0), runs.destination(1), runs.destination(3)} ==
        std::vector<uint64_t>{0, 2, 6});
}

TEST_CASE("a scalar is one run, an empty box none") {
  CHECK(Runs({{}, {}}, {{}, {}}, {{}, {}}, 8).count() == 1);
  CHECK(Runs({{}, {}}, {{}, {}}, {{}, {}}, 8).run_bytes() == 8);
  CHECK(Runs({{4, 0}, {0, 3}}, whole_of({4, 3}), {{4, 0}, {0, 3}}, 8).count() == 0);
}

// Every box of a [3, 4, 5] tensor into every other: each element that both have arrives, the rest stays.
TEST_CASE("copying what two boxes share moves exactly those elements") {
  const std::vector<Box> boxes = {whole_of({3, 4, 5}),    {{1, 0, 0}, {2, 4, 5}}, {{0, 1, 0}, {3, 2, 5}},
                                  {{0, 0, 3}, {3, 4, 2}}, {{1, 1, 1}, {1, 2, 3}}, {{2, 3, 4}, {1, 1, 1}},
                                  {{0, 0, 0}, {3, 4, 0}}};
  const auto value = [](int64_t i, int64_t j, int64_t k) { return static_cast<int16_t>(1 + (i * 4 + j) * 5 + k); };
  const auto fill = [&](const Box& box, bool with_values) {
    std::vector<int16_t> out;
    for (int64_t i = 0; i < box.sizes[0]; ++i)
      for (int64_t j = 0; j < box.sizes[1]; ++j)
        for (int64_t k = 0; k < box.sizes[2]; ++k)
          out.push_back(with_values ? value(box.offsets[0] + i, box.offsets[1] + j, box.offsets[2] + k) : int16_t{0});
    return out;
  };
  for (const Box& source : boxes)
    for (const Box& destination : boxes) {
      const std::vector<int16_t> from = fill(source, true);
      std::vector<int16_t> to = fill(destination, false), expected = fill(destination, true);
      const Box part = intersection(source, destination);
      for (size_t n = 0; n < expected.size(); ++n)
        if (std::find(from.begin(), from.end(), expected[n]) == from.end()) expected[n] = 0;
      copy_part(part, source, reinterpret_cast<const std::byte*>(from.data()), destination,
                reinterpret_cast<std::byte*>(to.data()), 2);
      CHECK(to == expected);
    }
}

TEST_CASE("a box lies within a shape only when nothing of it sticks out") {
  CHECK(lies_within({{1, 2}, {1, 0}}, {2, 2}));
  CHECK_FALSE(lies_within({{1, 0}, {2, 2}}, {2, 2}));
  CHECK_FALSE(lies_within({{-1, 0}, {1, 2}}, {2, 2}));
  CHECK_FALSE(lies_within({{0}, {2}}, {2, 2}));
  CHECK_FALSE(lies_within({{1}, {INT64_MAX}}, {2}));
}

TEST_CASE("a box that lies nowhere has a text all the same") {
  CHECK(to_string(Box{{0, 2}, {4, 2}}) == "[0:4, 2:4]");
  CHECK(to_string(Box{{}, {1, 2}}) == "of offsets [] and sizes [1, 2]");
  CHECK(to_string(Box{{0, 1}, {}}) == "of offsets [0, 1] and sizes []");
  CHECK(to_string(Box{{INT64_MAX}, {1}}) == "of offsets [9223372036854775807] and sizes [1]");
  CHECK(to_string(Box{{-1}, {INT64_MIN}}) == "of offsets [-1] and sizes [-9223372036854775808]");
}

}  // namespace ranklint::runtime::test
