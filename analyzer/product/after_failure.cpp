#include "analyzer/product/after_failure.h"

#include <algorithm>
#include <set>

#include "analyzer/execution/compared_worlds.h"
#include "analyzer/product/lockstep.h"

namespace ranklint {
namespace {

constexpr size_t kMostStatesAfterFailure = 1000;

class AfterFailure {
 public:
  AfterFailure(const Query& query, const Summary& function, const HandledFailure& failure)
      : in_(query), s_(function), failure_(failure), worlds_(query) {}

  std::optional<LeftAlone> run() {
    const std::function<bool(FunctionKey)> opens = [](FunctionKey) { return false; };
    const std::vector<ValueId> came = handler_terms();
    AxisSet named;
    worlds_.collect_axes(s_, named);
    const std::vector<UsedGroup> groups = worlds_.groups_of(s_);
    for (const auto& [group, listed] : groups) {
      AxisSet axes = group.world ? AxisSet{} : group;
      for (const Axis& axis : named.axes) axes.add(axis);
      const std::shared_ptr<const World> world = worlds_.world_of(axes, groups, {});
      Frames frames(in_, s_, group, listed);
      Scenario failed(in_, *world, 0), others(in_, *world, 0);
      LockstepResult result = Lockstep(in_, frames, failed, others, true, opens)
                                  .run_after(failed_rank(frames, came), kMostStatesAfterFailure);
      const auto sure = std::ranges::find_if(
          result.found, [&](const LockstepResult::Found& found) { return is_sure(found, result.found); });
      if (sure != result.found.end()) return left_alone(*sure, group);
    }
    return std::nullopt;
  }

 private:
  FailedRank failed_rank(const Frames& frames, const std::vector<ValueId>& came) {
    FailedRank rank{.at = frames.start(), .others = frames.start(), .range = {}, .failure = {}, .came = came};
    rank.at.block = failure_.handler;
    rank.others.block = failure_.failed.block;
    rank.others.step = steps_before();
    const ir::Block& block = in_.index().function(s_.function).blocks[failure_.failed.block];
    const bool asks = failure_.failed.instruction >= block.instructions.size();
    rank.range = asks ? block.terminator.range : block.instructions[failure_.failed.instruction].range;
    rank.failure = in_.failure_taken_by(s_.function, failure_.takes_over);
    return rank;
  }

  // How many steps of the block the others have made by then.
  uint32_t steps_before() const {
    const auto& steps = s_.blocks[failure_.failed.block.index].steps;
    return static_cast<uint32_t>(std::ranges::count_if(steps, [&](const Step& step) {
      const uint32_t instruction = in_.site(step.site).instruction;
      return instruction < failure_.failed.instruction + (failure_.within ? 0 : 1);
    }));
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
    return site && site->why == Site::Why::ExceptionCame && site->function == s_.function &&
           s_.graph().dominates(failure_.takes_over, site->block);
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
      if (failed && s_.graph().dominates(failure_.takes_over, d.block)) return false;
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
  const HandledFailure& failure_;
  ComparedWorlds worlds_;
};

}  // namespace

std::optional<LeftAlone> left_alone_after(const Query& query, const Summary& function, const HandledFailure& failure) {
  return AfterFailure(query, function, failure).run();
}

}  // namespace ranklint
