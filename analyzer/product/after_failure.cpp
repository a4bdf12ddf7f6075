#include "analyzer/product/after_failure.h"

#include <algorithm>
#include <set>

#include "analyzer/execution/compared_worlds.h"
#include "analyzer/flow/side_of_branch.h"
#include "analyzer/product/lockstep.h"

namespace ranklint {
namespace {

constexpr size_t kMostStatesAfterFailure = 1000;
using Truth = ValueStore::Truth;

// The numbers of two ranks, in a small world.
struct RankPair {
  uint32_t failed = 0, others = 0;
};

class AfterFailure {
 public:
  AfterFailure(const Query& query, const Summary& function) : in_(query), s_(function), worlds_(query) {}

  std::optional<LeftAlone> run(const HandledFailure& failure) {
    takes_over_ = failure.takes_over;
    const Position others = at(failure.failed, failure.within ? 0 : 1);
    return on_each_group({.at = at({failure.handler, 0}, 0),
                          .others = others,
                          .diverge_at = others,
                          .side = {failure.handler, {}},
                          .range = range_of(failure.failed),
                          .failure = in_.failure_taken_by(s_.function, failure.takes_over),
                          .came = handler_terms()},
                         [](const World&, const AxisSet&) { return RankPair{}; });
  }

  std::optional<LeftAlone> run(const LoneExit& exit) {
    const ir::Block& branch = in_.index().function(s_.function).blocks[exit.branch];
    const auto& sides = branch.terminator.successors;
    const ir::BlockId own = sides[exit.holds ? 0 : 1], others = sides[exit.holds ? 1 : 0];
    const ProgramPoint asks{exit.branch, static_cast<uint32_t>(branch.instructions.size())};
    return on_each_group({.at = {},
                          .others = at({others, 0}, 0),
                          .diverge_at = at(asks, 0),
                          .side = {own, others},
                          .range = branch.terminator.range,
                          .failure = s_.blocks[exit.branch.index].condition,
                          .came = {}},
                         [&](const World& world, const AxisSet& group) { return pair_told_apart(exit, world, group); });
  }

 private:
  std::optional<LeftAlone> on_each_group(
      FailedRank rank, const std::function<std::optional<RankPair>(const World&, const AxisSet&)>& pair_in) {
    const std::function<bool(FunctionKey)> opens = [](FunctionKey) { return false; };
    AxisSet named;
    worlds_.collect_axes(s_, named);
    const std::vector<UsedGroup> groups = worlds_.groups_of(s_);
    for (const auto& [group, listed] : groups) {
      AxisSet axes = group.world ? AxisSet{} : group;
      for (const Axis& axis : named.axes) axes.add(axis);
      const std::shared_ptr<const World> world = worlds_.world_of(axes, groups, {});
      const std::optional<RankPair> pair = pair_in(*world, group);
      if (!pair) continue;
      Frames frames(in_, s_, group, listed);
      rank.others.frame = rank.diverge_at.frame = frames.start().frame;
      if (!rank.at.at_end()) rank.at.frame = frames.start().frame;
      Scenario failed(in_, *world, pair->failed), others(in_, *world, pair->others);
      LockstepResult result =
          Lockstep(in_, frames, failed, others, true, opens).run_after(rank, kMostStatesAfterFailure);
      const auto sure = std::ranges::find_if(
          result.found, [&](const LockstepResult::Found& found) { return is_sure(found, result.found); });
      if (sure != result.found.end()) return left_alone(*sure, group);
    }
    return std::nullopt;
  }

  // After `more` instructions from the point on. The frame is filled in later.
  Position at(ProgramPoint point, uint32_t more) const {
    const auto& steps = s_.blocks[point.block.index].steps;
    const auto made = std::ranges::count_if(
        steps, [&](const Step& step) { return in_.site(step.site).instruction < point.instruction + more; });
    return {FrameId{0}, point.block, static_cast<uint32_t>(made), false};
  }

  SourceRange range_of(ProgramPoint point) const {
    const ir::Block& block = in_.index().function(s_.function).blocks[point.block];
    const bool asks = point.instruction >= block.instructions.size();
    return asks ? block.terminator.range : block.instructions[point.instruction].range;
  }

  // Two members of one group that reach the branch and take different sides of it, the one that leaves first.
  std::optional<RankPair> pair_told_apart(const LoneExit& exit, const World& world, const AxisSet& group) const {
    const auto takes = [&](uint32_t rank, bool side) {
      return answer(world, rank, exit.branch) == (side ? Truth::Yes : Truth::No) && may_reach(exit.branch, world, rank);
    };
    for (uint32_t failed = 0; failed < world.size(); ++failed) {
      if (!takes(failed, exit.holds)) continue;
      for (const uint32_t other : world.members(failed, group))
        if (takes(other, !exit.holds)) return RankPair{failed, other};
    }
    return std::nullopt;
  }

  Truth answer(const World& world, uint32_t rank, ir::BlockId branch) const {
    Scenario scenario(in_, world, rank);
    return in_.values().truth(scenario.residual(s_.blocks[branch.index].condition));
  }

  // As far as the branches around the block say: after `if world_size > 1: return` no rank of several reaches it.
  bool may_reach(ir::BlockId block, const World& world, uint32_t rank) const {
    const ir::Function& f = in_.index().function(s_.function);
    for (ir::BlockId at = s_.graph().dominator(block); at.valid(); at = s_.graph().dominator(at)) {
      const std::optional<bool> side = side_of_branch(s_.graph(), f, at, block);
      if (side && answer(world, rank, at) == (*side ? Truth::No : Truth::Yes)) return false;
    }
    return true;
  }

  // The terms in what the function asks and hands on that say whether the handler was taken.
  std::vector<ValueId> handler_terms() const {
    std::set<ValueId> terms;
    const auto add = [&](ValueId v) {
      if (!v.valid()) return;
      in_.values().find_part(v, [&](ValueId part) {
        if (tells_of_handler(part)) terms.insert(part);
        return false;
      });
    };
    for (const BlockSteps& block : s_.blocks) {
      add(block.condition);
      for (const Step& step : block.steps) {
        add(step.call.callee);
        for (const ValueId given : step.call.positional) add(given);
        for (const auto& [_, given] : step.call.keywords) add(given);
      }
    }
    return {terms.begin(), terms.end()};
  }

  bool tells_of_handler(ValueId v) const {
    const Site* site = in_.made_at(v);
    return takes_over_.valid() && site && site->why == Site::Why::ExceptionCame && site->function == s_.function &&
           s_.graph().dominates(takes_over_, site->block);
  }

  // Whether nothing was chosen on the way but how often loops turn, what the handler asks of what it has caught, and
  // what follows from whether it was taken; or one thing, and they wait as well where it was chosen the other way.
  bool is_sure(const LockstepResult::Found& found, const std::vector<LockstepResult::Found>& all) const {
    const std::vector<Decision> open = open_decisions(found);
    return open.empty() ||
           (open.size() == 1 && std::ranges::any_of(all, [&](const LockstepResult::Found& other) {
              const std::vector<Decision> others = open_decisions(other);
              return others.size() == 1 && others[0].at_same_place(open[0]) && others[0].chosen != open[0].chosen;
            }));
  }

  std::vector<Decision> open_decisions(const LockstepResult::Found& found) const {
    const bool first_failed = found.waits == Who::A;
    const auto is_open = [&](const Decision& d, bool failed) {
      if (d.kind != Decision::Kind::Side || in_.index().function(d.function).blocks[d.block].terminator.is_loop)
        return false;
      if (d.function != s_.function) return true;
      if (failed && takes_over_.valid() && s_.graph().dominates(takes_over_, d.block)) return false;
      return !in_.values()
                  .find_part(s_.blocks[d.block.index].condition, [&](ValueId part) { return tells_of_handler(part); })
                  .valid();
    };
    std::vector<Decision> open;
    const auto take = [&](const std::vector<Decision>& decisions, bool failed) {
      for (const Decision& d : decisions)
        if (is_open(d, failed) && std::ranges::none_of(open, [&](const Decision& o) { return o.at_same_place(d); }))
          open.push_back(d);
    };
    take(found.trace.first.decisions, first_failed);
    take(found.trace.second.decisions, !first_failed);
    return open;
  }

  static bool is_branch(const PathStep& step) { return step.kind == PathStep::Kind::Branch && step.nesting <= 0; }

  static LeftAlone left_alone(const LockstepResult::Found& found, const AxisSet& group) {
    const Mismatch& m = found.mismatch;
    const bool first_failed = found.waits == Who::A;
    const Arrival &failed = first_failed ? m.first : m.second, &others = first_failed ? m.second : m.first;
    const Arrival& waits = others.at_collective ? others : failed;
    LeftAlone left{.failed_waits = !others.at_collective,
                   .op = waits.op,
                   .group = group,
                   .place = waits.steps.back().range,
                   .asked = {},
                   .certainty = m.certainty};
    for (const PathStep& step : waits.steps)
      if (step.nesting <= 0 && step.kind != PathStep::Kind::Branch) left.place = step.range;
    for (const PathStep& step : failed.steps) {
      const auto parts = [&](const PathStep& other) {
        return is_branch(other) && other.range == step.range && other.outcome != step.outcome;
      };
      if (!is_branch(step) || std::ranges::none_of(others.steps, parts)) continue;
      left.asked = step.range;
      left.holds = step.outcome == PathStep::Outcome::True;
    }
    return left;
  }

  const Query& in_;
  const Summary& s_;
  ir::BlockId takes_over_;  // the body of the handler that takes the failure; invalid: none does
  ComparedWorlds worlds_;
};

}  // namespace

std::optional<LeftAlone> left_alone_after(const Query& query, const Summary& function, const HandledFailure& failure) {
  return AfterFailure(query, function).run(failure);
}

std::optional<LeftAlone> left_alone_after(const Query& query, const Summary& function, const LoneExit& exit) {
  return AfterFailure(query, function).run(exit);
}

}  // namespace ranklint
