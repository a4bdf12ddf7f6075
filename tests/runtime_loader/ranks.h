// A world whose ranks each give a value, and the agreement that the loader promises: all succeed, or all fail alike.
#pragma once

#include <catch2/catch.hpp>

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/error.h"
#include "runtime/group/world.h"

namespace ranklint::runtime::test {

// What each rank's body returned. Fails the test when the world did not end well: a rank that was left waiting shows
// here.
template <typename T>
std::vector<Result<T>> on_ranks(int world_size, const std::function<Result<T>(RankContext&)>& body,
                                const WorldOptions& options = {}) {
  std::vector<std::optional<Result<T>>> results(static_cast<size_t>(world_size));
  const WorldReport report = run_world(
      world_size, [&](RankContext& context) { results[static_cast<size_t>(context.rank())] = body(context); }, options);
  INFO(report.verdict.to_text());
  REQUIRE(report.ok());
  std::vector<Result<T>> out;
  for (std::optional<Result<T>>& result : results) out.push_back(std::move(result.value()));
  return out;
}

// The one error that every rank returned.
template <typename T>
Error common_error(const std::vector<Result<T>>& results) {
  for (const Result<T>& result : results) {
    REQUIRE_FALSE(result.has_value());
    CHECK(result.error().message == results[0].error().message);
    CHECK(result.error().kind == results[0].error().kind);
  }
  return results[0].error();
}

template <typename T>
const T& success(const Result<T>& result) {
  INFO((result ? std::string() : result.error().message));
  REQUIRE(result);
  return *result;
}

}  // namespace ranklint::runtime::test
