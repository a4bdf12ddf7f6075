#include "runtime/sharded/plan.h"

#include "runtime/base/error.h"

namespace ranklint::runtime {

std::optional<OpType> collective_of(const Step& step) {
  if (is_partial(step.to) || is_replicate(step.from) || step.from == step.to) return std::nullopt;
  if (is_shard(step.from)) return is_shard(step.to) ? OpType::AllToAll : OpType::AllGather;
  return is_shard(step.to) ? OpType::ReduceScatter : OpType::AllReduce;
}

// Where `from` goes next on the way to `to`: there, or by Replicate where no one step leads.
static Placement next_of(const Placement& from, const Placement& to) {
  const Partial* target = std::get_if<Partial>(&to);
  if (!target || is_replicate(from)) return to;
  const bool has_neutral_rest = target->op == ReduceOp::Sum || target->op == ReduceOp::Prod;
  if (is_shard(from) && has_neutral_rest) return to;
  return Replicate{};
}

// Lower goes first: by how many bytes are left to move afterwards.
static int cost(const Step& step) {
  if (is_partial(step.to)) return 5;
  const std::optional<OpType> collective = collective_of(step);
  if (!collective) return 0;
  switch (*collective) {
    case OpType::ReduceScatter: return 1;
    case OpType::AllReduce: return 2;
    case OpType::AllToAll: return 3;
    default: return 4;
  }
}

namespace {

class Planner {
 public:
  Planner(const Placements& from, const Placements& to) : now_(from), goal_(to) {}

  std::vector<Step> steps() {
    while (now_ != goal_) {
      const std::optional<Step> step = cheapest_legal();
      take(step ? *step : clear_the_way());
    }
    return std::move(steps_);
  }

 private:
  std::optional<Step> cheapest_legal() const {
    std::optional<Step> best;
    for (size_t m = 0; m < now_.size(); ++m) {
      if (now_[m] == goal_[m]) continue;
      const Step step{.mesh_dim = static_cast<int>(m), .from = now_[m], .to = next_of(now_[m], goal_[m])};
      if (legal(step) && (!best || cost(step) < cost(*best))) best = step;
    }
    return best;
  }

  bool legal(const Step& step) const {
    const auto m = static_cast<size_t>(step.mesh_dim);
    if (const Shard* shard = std::get_if<Shard>(&step.from); shard && cut_to_the_right(m, shard->dim)) return false;
    const Shard* shard = std::get_if<Shard>(&step.to);
    return !shard || (!cut_to_the_right(m, shard->dim) && settled_to_the_left(m, shard->dim));
  }

  bool cut_to_the_right(size_t m, int64_t dim) const {
    for (size_t i = m + 1; i < now_.size(); ++i)
      if (is_shard(now_[i], dim)) return true;
    return false;
  }

  // Do exactly those mesh dimensions left of m cut `dim` that will do so in the end?
  bool settled_to_the_left(size_t m, int64_t dim) const {
    for (size_t i = 0; i < m; ++i)
      if (is_shard(now_[i], dim) != is_shard(goal_[i], dim)) return false;
    return true;
  }

  // Found whenever no step is legal: the leftmost dimension that has not arrived is settled to its left, so a shard to its
  // right blocks it, and that shard is not settled.
  Step clear_the_way() const {
    for (size_t m = now_.size(); m-- > 0;)
      if (const Shard* shard = std::get_if<Shard>(&now_[m]); shard && !settled_to_the_left(m, shard->dim))
        return {.mesh_dim = static_cast<int>(m), .from = now_[m], .to = Replicate{}};
    fail(ErrorKind::InvalidArgument, "no way from " + to_string(now_) + " to " + to_string(goal_));
  }

  void take(const Step& step) {
    now_[static_cast<size_t>(step.mesh_dim)] = step.to;
    steps_.push_back(step);
  }

  Placements now_;
  const Placements& goal_;
  std::vector<Step> steps_;
};

}  // namespace

std::vector<Step> plan_steps(const Placements& from, const Placements& to) { return Planner(from, to).steps(); }

}  // namespace ranklint::runtime
