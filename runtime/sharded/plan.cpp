#include "runtime/sharded/plan.h"

#include <algorithm>
#include <compare>
#include <map>
#include <set>
#include <utility>

#include "runtime/base/error.h"
#include "runtime/sharded/layout.h"

namespace ranklint::runtime {

std::optional<OpType> collective_of(const Step& step) {
  if (is_partial(step.to) || is_replicate(step.from) || step.from == step.to) return std::nullopt;
  if (is_shard(step.from)) return is_shard(step.to) ? OpType::AllToAll : OpType::AllGather;
  return is_shard(step.to) ? OpType::ReduceScatter : OpType::AllReduce;
}

// Is there a step from `from` to `to`, or must it go by Replicate?
static bool adjacent(const Placement& from, const Placement& to) {
  const Partial* partial = std::get_if<Partial>(&to);
  if (!partial || is_replicate(from)) return true;
  const bool has_neutral_rest = partial->op == ReduceOp::Sum || partial->op == ReduceOp::Prod;
  return is_shard(from) && has_neutral_rest;
}

static bool cut_to_the_right(const Placements& now, size_t m, const Placement& placement) {
  return is_shard(placement) && std::find(now.begin() + static_cast<int64_t>(m) + 1, now.end(), placement) != now.end();
}

// What `step` leaves of `now`; none when it is not legal.
static std::optional<Placements> after(const Step& step, Placements now) {
  const auto m = static_cast<size_t>(step.mesh_dim);
  const bool blocked = cut_to_the_right(now, m, step.from) || cut_to_the_right(now, m, step.to);
  if (blocked || !adjacent(step.from, step.to)) return std::nullopt;
  now[m] = step.to;
  return reductions_commute(now) ? std::optional(std::move(now)) : std::nullopt;
}

// What a rank with `numel` elements sends in a step over `ranks` ranks, were its pieces even.
static int64_t elements_sent(const Step& step, int64_t numel, int ranks) {
  const std::optional<OpType> collective = collective_of(step);
  if (!collective) return 0;
  const int64_t others = ranks - 1;
  switch (*collective) {
    case OpType::AllGather: return others * numel;
    case OpType::AllReduce: return 2 * others * ceil_div(numel, ranks);
    default: return others * ceil_div(numel, ranks);
  }
}

namespace {

struct Cost {
  int64_t sent = 0;
  int64_t steps = 0;
  friend auto operator<=>(const Cost&, const Cost&) = default;
};

class Planner {
 public:
  Planner(const Placements& from, const Placements& to, const std::vector<int>& mesh_shape, const Shape& shape)
      : from_(from), goal_(to), mesh_shape_(mesh_shape), shape_(shape) {}

  std::vector<Step> steps() {
    arrive(from_, {});
    while (!waiting_.empty()) {
      const auto [cost, now] = *waiting_.begin();
      if (now == goal_) return way_to(now);
      waiting_.erase(waiting_.begin());
      leave(now, cost);
    }
    fail(ErrorKind::InvalidArgument, "no way from " + to_string(from_) + " to " + to_string(goal_));
  }

 private:
  struct Arrival {
    Cost cost;
    std::optional<Step> by;  // none at the start
  };

  void arrive(const Placements& at, const Arrival& arrival) {
    if (const auto before = arrivals_.find(at); before != arrivals_.end()) {
      if (before->second.cost <= arrival.cost) return;
      waiting_.erase({before->second.cost, at});
    }
    arrivals_[at] = arrival;
    waiting_.insert({arrival.cost, at});
  }

  void leave(const Placements& now, const Cost& cost) {
    const int64_t numel = longest_part(now);
    for (size_t m = 0; m < now.size(); ++m)
      for (const Placement& next : {Placement{Replicate{}}, goal_[m]}) {
        if (next == now[m]) continue;
        const Step step{.mesh_dim = static_cast<int>(m), .from = now[m], .to = next};
        if (const std::optional<Placements> there = after(step, now))
          arrive(*there,
                 {.cost = {.sent = cost.sent + elements_sent(step, numel, mesh_shape_[m]), .steps = cost.steps + 1},
                  .by = step});
      }
  }

  // The first rank's: no other one's is longer.
  int64_t longest_part(const Placements& placements) const {
    return numel_of(
        local_shape_and_offset(shape_, mesh_shape_, std::vector<int>(mesh_shape_.size(), 0), placements).shape);
  }

  std::vector<Step> way_to(Placements end) const {
    std::vector<Step> steps;
    while (const std::optional<Step>& by = arrivals_.at(end).by) {
      end[static_cast<size_t>(by->mesh_dim)] = by->from;
      steps.push_back(*by);
    }
    std::reverse(steps.begin(), steps.end());
    return steps;
  }

  const Placements& from_;
  const Placements& goal_;
  const std::vector<int>& mesh_shape_;
  const Shape& shape_;
  std::map<Placements, Arrival> arrivals_;         // the best so far
  std::set<std::pair<Cost, Placements>> waiting_;  // of these, the ones not yet left
};

}  // namespace

std::vector<Step> plan_steps(const Placements& from, const Placements& to, const std::vector<int>& mesh_shape,
                             const Shape& shape) {
  return Planner(from, to, mesh_shape, shape).steps();
}

}  // namespace ranklint::runtime
