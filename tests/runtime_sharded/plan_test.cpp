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

static std::vector<Step> plan(const Placements& from, const Placements& to) {
  return plan_steps(from, to, std::vector<int>(from.size(), 2), {16, 16});
}

static std::optional<OpType> one_call(const Placement& from, const Placement& to) {
  const std::vector<Step> steps = plan({from}, {to});
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
  CHECK(plan({Shard{1}}, {Shard{1}}).empty());
}

TEST_CASE("a shard becomes a partial maximum by way of the whole") {
  CHECK(text_of(plan({Shard{0}}, {Partial{ReduceOp::Max}})) == "0: Shard(0) > Replicate, 0: Replicate > Partial(max)");
}

TEST_CASE("a shard inside of another is gathered before the outer one changes") {
  CHECK(text_of(plan({Shard{0}, Shard{0}}, {Replicate{}, Shard{0}})) ==
        "1: Shard(0) > Replicate, 0: Shard(0) > Replicate, 1: Replicate > Shard(0)");
}

TEST_CASE("two shards that change places gather only one of them, that of fewer ranks") {
  const Placements from = {Shard{0}, Shard{1}}, to = {Shard{1}, Shard{0}};
  CHECK(text_of(plan_steps(from, to, {4, 2}, {16, 16})) ==
        "1: Shard(1) > Replicate, 0: Shard(0) > Shard(1), 1: Replicate > Shard(0)");
  CHECK(text_of(plan_steps(from, to, {2, 4}, {16, 16})) ==
        "0: Shard(0) > Replicate, 1: Shard(1) > Shard(0), 0: Replicate > Shard(1)");
}

TEST_CASE("what makes the tensor smaller goes before what moves it") {
  CHECK(text_of(plan({Partial{}, Shard{0}}, {Replicate{}, Replicate{}})) ==
        "0: Partial(sum) > Replicate, 1: Shard(0) > Replicate");
  CHECK(text_of(plan({Replicate{}, Partial{}}, {Shard{0}, Shard{1}})) ==
        "0: Replicate > Shard(0), 1: Partial(sum) > Shard(1)");
}

TEST_CASE("a partial value is reduced while it is small, even where one collective less would do") {
  const Placements rows_of_a_sum = {Shard{0}, Partial{}}, sum_of_rows = {Partial{}, Shard{0}};
  CHECK(text_of(plan_steps(rows_of_a_sum, {Replicate{}, Shard{0}}, {4, 4}, {1024})) ==
        "1: Partial(sum) > Replicate, 0: Shard(0) > Replicate, 1: Replicate > Shard(0)");
  CHECK(text_of(plan_steps(sum_of_rows, {Shard{0}, Replicate{}}, {4, 4}, {1024})) ==
        "0: Partial(sum) > Replicate, 1: Shard(0) > Replicate, 0: Replicate > Shard(0)");
  // Over two halves it is not so small: an all_reduce of one sends what a reduce_scatter of the whole does.
  CHECK(text_of(plan_steps(rows_of_a_sum, {Replicate{}, Shard{0}}, {2, 4}, {1024})) ==
        "0: Shard(0) > Replicate, 1: Partial(sum) > Shard(0)");
}

TEST_CASE("a product is taken apart when no sum is left to reduce") {
  const Partial product{ReduceOp::Prod};
  CHECK(text_of(plan({Partial{}, Shard{0}}, {Shard{0}, product})) ==
        "0: Partial(sum) > Replicate, 1: Shard(0) > Partial(prod), 0: Replicate > Shard(0)");
}

// All lists of three placements over a tensor of two dimensions.
static std::vector<Placements> legal_lists() {
  const std::vector<Placement> choices = {Replicate{},
                                          Shard{0},
                                          Shard{1},
                                          Partial{ReduceOp::Sum},
                                          Partial{ReduceOp::Avg},
                                          Partial{ReduceOp::Prod},
                                          Partial{ReduceOp::Max}};
  std::vector<Placements> lists;
  for (const Placement& first : choices)
    for (const Placement& second : choices)
      for (const Placement& third : choices)
        if (Placements list = {first, second, third}; reductions_commute(list)) lists.push_back(std::move(list));
  return lists;
}

// Does each step start where the one before has ended, touch no shard that another one to its right cuts, and leave
// partial values that commute?
static bool arrives(Placements now, const Placements& to, const std::vector<Step>& steps) {
  for (const Step& step : steps) {
    const auto m = static_cast<size_t>(step.mesh_dim);
    if (now[m] != step.from) return false;
    for (size_t right = m + 1; right < now.size(); ++right)
      if (is_shard(now[right]) && (now[right] == step.from || now[right] == step.to)) return false;
    now[m] = step.to;
    if (!reductions_commute(now)) return false;
  }
  return now == to;
}

TEST_CASE("every plan arrives by legal steps") {
  const std::vector<Placements> lists = legal_lists();
  for (const Placements& from : lists)
    for (const Placements& to : lists)
      if (!arrives(from, to, plan(from, to))) FAIL_CHECK(to_string(from) << " to " << to_string(to));
}

}  // namespace ranklint::runtime
