// Sets of ranks that hold in groups of every size: found from samples, and named.
#include "analyzer/mesh/rank_set.h"

#include <catch2/catch.hpp>

#include <functional>

namespace ranklint {
namespace {

using Holds = std::function<bool(uint32_t number, uint32_t size)>;

std::optional<RankSet> fitted(const Holds& holds) {
  std::vector<RankSample> samples;
  for (const uint32_t size : {2U, 3U, 4U, 7U, 8U, 32U}) {
    samples.emplace_back();
    for (uint32_t n = 0; n < size; ++n) samples.back().push_back(holds(n, size));
  }
  return fit(samples);
}

std::string name(const Holds& holds) {
  const std::optional<RankSet> set = fitted(holds);
  const std::optional<RankName> found = set ? name_of(*set) : std::nullopt;
  return found ? found->text + (found->is_plural ? " wait" : " waits") : "";
}

std::string numbered_in(const Holds& holds, const RankNumbering& numbering) {
  const std::optional<RankSet> set = fitted(holds);
  REQUIRE(set);
  return numbered(*set, numbering).value_or("");
}

struct Case {
  Holds holds;
  std::string name;
  std::string numbered;  // as a tp rank
};

const std::vector<Case>& cases() {
  static const std::vector<Case> kCases = {
      {[](uint32_t n, uint32_t) { return n == 0; }, "rank 0 waits", "tp rank 0"},
      {[](uint32_t n, uint32_t) { return n < 2; }, "ranks 0 and 1 wait", "tp rank 0 or 1"},
      {[](uint32_t n, uint32_t) { return n < 4; }, "ranks 0-3 wait", "tp rank 0-3"},
      {[](uint32_t n, uint32_t) { return n == 1 || n == 3; }, "ranks 1 and 3 wait", "tp rank 1 or 3"},
      {[](uint32_t n, uint32_t) { return n != 0; }, "every rank but 0 waits", "any tp rank but 0"},
      {[](uint32_t n, uint32_t) { return n >= 3; }, "ranks from 3 on wait", "a tp rank from 3 on"},
      {[](uint32_t n, uint32_t size) { return n + 1 == size; }, "the last rank waits", "the last tp rank"},
      {[](uint32_t n, uint32_t size) { return n + 2 >= size; }, "the last 2 ranks wait", "one of the last 2 tp ranks"},
      {[](uint32_t n, uint32_t size) { return n + 1 != size; }, "every rank but the last waits",
       "any tp rank but the last"},
      {[](uint32_t n, uint32_t size) { return n == 0 || n + 1 == size; }, "rank 0 and the last rank wait",
       "tp rank 0 or the last"},
      {[](uint32_t n, uint32_t) { return n % 2 == 0; }, "even ranks wait", "an even tp rank"},
      {[](uint32_t n, uint32_t) { return n % 2 == 1; }, "odd ranks wait", "an odd tp rank"},
  };
  return kCases;
}

}  // namespace

TEST_CASE("what a condition says in groups of several sizes has a name") {
  for (const Case& c : cases()) {
    CHECK(name(c.holds) == c.name);
    CHECK(numbered_in(c.holds, {.noun = "tp rank", .suffix = ""}) == c.numbered);
  }
}

TEST_CASE("the set that was fitted says what its samples said, in groups of other sizes too") {
  for (const Case& c : cases()) {
    const std::optional<RankSet> set = fitted(c.holds);
    REQUIRE(set);
    for (uint32_t size = 8; size < 20; ++size)
      for (uint32_t n = 0; n < size; ++n) {
        INFO(c.name << ", rank " << n << " of " << size);
        CHECK(set->contains(n, size) == c.holds(n, size));
      }
  }
}

TEST_CASE("a description that one group refutes is none") {
  CHECK_FALSE(fitted([](uint32_t n, uint32_t) { return n % 3 == 0; }));
  CHECK_FALSE(fitted([](uint32_t n, uint32_t size) { return n == size / 2; }));
  CHECK_FALSE(fitted([](uint32_t n, uint32_t size) { return size == 7 ? n == 1 : n == 0; }));
  CHECK_FALSE(fit({}));
  CHECK_FALSE(fit({{true, false}}));
}

TEST_CASE("no name is made of too many numbers, or of a rank before the last") {
  CHECK(name([](uint32_t n, uint32_t) { return n == 1 || n == 3 || n == 5 || n == 7 || n == 9 || n == 11; }).empty());
  CHECK(name([](uint32_t n, uint32_t size) { return n + 2 == size; }).empty());
}

TEST_CASE("what follows `and not by` is in the plural") {
  CHECK(name_of({.from_start = {0}, .from_end = {}, .complement = true, .parity = {}})->beside == "ranks other than 0");
  CHECK(name_of({.from_start = {0}, .from_end = {}, .complement = false, .parity = {}})->beside.empty());
}

TEST_CASE("a number in a group is said with its group") {
  const Holds first = [](uint32_t n, uint32_t) { return n == 0; };
  CHECK(numbered_in(first, {.noun = "rank", .suffix = " in its group"}) == "rank 0 in its group");
  CHECK(RankNumbering{}.among_all());
}

TEST_CASE("three numbers in a row are one run, two are two") {
  CHECK(in_runs({0, 1, 2, 8}) == "0-2, 8");
  CHECK(in_runs({0, 1, 5}) == "0, 1, 5");
  CHECK(in_runs({}).empty());
}

}  // namespace ranklint
