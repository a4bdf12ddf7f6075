#include "runtime/sharded/plan.h"

#include <catch2/catch.hpp>

namespace ranklint::runtime {

// "0: Shard(0) > Replicate, ..."
static std::string text_of(const std::vector<Step>& steps) {
  std::string text;
  for (const Step& step : steps)
    text += (text.empty() ? "" : ", ") + std::to_string(step.mesh_dim) + ": " + to_string(step.from) + " > " +
            to_string(step.to);
  return text;
}

static std::optional<OpType> one_call(const Placement& from, const Placement& to) {
  const std::vector<Step> steps = plan_steps({from}, {to});
  REQUIRE(steps.size() == 1);
  return collective_of(steps.front());
}

TEST_CASE("each pair of placements takes its cheapest collective") {
  const Partial sum{ReduceOp::Sum};
  CHECK(one_call(Shard{0}, Replicate{}) == OpType::AllGather);
  CHECK(one_call(Shard{0}, Shard{1}) == OpType::AllToAll);
  CHECK(one_call(sum, Replicate{}) == OpType::AllReduce);
  CHECK(one_call(sum, Shard{0}) == OpType::ReduceScatter);
  CHECK(one_call(Replicate{}, Shard{0}) == std::nullopt);
  CHECK(one_call(Replicate{}, sum) == std::nullopt);
  CHECK(one_call(Shard{0}, sum) == std::nullopt);
  CHECK(plan_steps({Shard{1}}, {Shard{1}}).empty());
}

TEST_CASE("a shard becomes a partial maximum by way of the whole") {
  CHECK(text_of(plan_steps({Shard{0}}, {Partial{ReduceOp::Max}})) ==
        "0: Shard(0) > Replicate, 0: Replicate > Partial(max)");
}

TEST_CASE("a shard inside of another is gathered before the outer one changes") {
  CHECK(text_of(plan_steps({Shard{0}, Shard{0}}, {Replicate{}, Shard{0}})) ==
        "1: Shard(0) > Replicate, 0: Shard(0) > Replicate, 1: Replicate > Shard(0)");
}

TEST_CASE("two shards that change places gather only one of them") {
  CHECK(text_of(plan_steps({Shard{0}, Shard{1}}, {Shard{1}, Shard{0}})) ==
        "1: Shard(1) > Replicate, 0: Shard(0) > Shard(1), 1: Replicate > Shard(0)");
}

TEST_CASE("what makes the tensor smaller goes before what moves it") {
  CHECK(text_of(plan_steps({Partial{}, Shard{0}}, {Replicate{}, Replicate{}})) ==
        "0: Partial(sum) > Replicate, 1: Shard(0) > Replicate");
  CHECK(text_of(plan_steps({Replicate{}, Partial{}}, {Shard{0}, Shard{1}})) ==
        "0: Replicate > Shard(0), 1: Partial(sum) > Shard(1)");
}

// All placement lists of three mesh dimensions over a tensor of two: the plan ends, begins and arrives where it should, and
// never touches a shard that another one to its right cuts.
TEST_CASE("every plan arrives by legal steps") {
  const std::vector<Placement> choices = {Replicate{}, Shard{0}, Shard{1}, Partial{}};
  const auto placements = [&](size_t code) {
    return Placements{choices[code % 4], choices[code / 4 % 4], choices[code / 16]};
  };
  for (size_t a = 0; a < 64; ++a)
    for (size_t b = 0; b < 64; ++b) {
      Placements now = placements(a);
      const std::vector<Step> steps = plan_steps(now, placements(b));
      bool legal = steps.size() <= 6;
      for (const Step& step : steps) {
        const auto m = static_cast<size_t>(step.mesh_dim);
        legal = legal && now[m] == step.from;
        for (size_t right = m + 1; right < 3; ++right)
          legal = legal && !(is_shard(now[right]) && (now[right] == step.from || now[right] == step.to));
        now[m] = step.to;
      }
      if (!legal || now != placements(b)) FAIL_CHECK(to_string(placements(a)) << " to " << to_string(placements(b)));
    }
}

}  // namespace ranklint::runtime
