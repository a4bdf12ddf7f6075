// Worlds for tests, and what a test says about them.
#pragma once

#include <catch2/catch.hpp>

#include <string>
#include <vector>

#include "runtime/group/world.h"

namespace ranklint::runtime::test {

inline Tensor floats(std::vector<float> values) {
  const auto count = static_cast<int64_t>(values.size());
  return Tensor::from(std::move(values), {count});
}

template <typename T = float>
std::vector<T> values(const Tensor& tensor) {
  const auto elements = tensor.as<T>();
  return {elements.begin(), elements.end()};
}

// Rank r's [r*100, r*100+1, ...].
inline Tensor numbered(int rank, int64_t count) {
  const Tensor tensor = Tensor::arange(count);
  for (float& value : tensor.as<float>()) value += 100.0F * static_cast<float>(rank);
  return tensor;
}

// Runs the ranks and expects that all return. A REQUIRE inside a rank's body would race, so bodies return whether what
// they saw was right.
inline void require_all(int world_size, const std::function<bool(RankContext&)>& body,
                        const WorldOptions& options = {}) {
  std::vector<char> right(static_cast<size_t>(world_size), 0);
  const WorldReport report = run_world(
      world_size, [&](RankContext& context) { right[static_cast<size_t>(context.rank())] = body(context); }, options);
  INFO(report.verdict.to_text());
  REQUIRE(report.ok());
  for (int rank = 0; rank < world_size; ++rank) {
    INFO("rank " << rank);
    CHECK(right[static_cast<size_t>(rank)] != 0);
  }
}

}  // namespace ranklint::runtime::test
