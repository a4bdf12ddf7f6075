// Which comparisons are made of one function.
#include "analyzer/product/function_check.h"

#include <algorithm>
#include <functional>
#include <set>

#include "analyzer/execution/compared_worlds.h"
#include "analyzer/execution/per_rank_executor.h"
#include "analyzer/product/lockstep.h"
#include "analyzer/product/walks_in_order.h"
#include "analyzer/questions/listed_ranks.h"

namespace ranklint {
namespace {

// Pairs of positions that one comparison visits; that all of one function do, before those that follow have to do with
// few.
constexpr size_t kMostStates = 3000;
constexpr size_t kMostStatesOfFunction = 6000;
constexpr size_t kFewStates = 150;
constexpr uint32_t kDecorator = UINT32_MAX;  // as the block where ranks diverge: above all of them
constexpr uint32_t kMostViews = 9;           // ranks that are compared with themselves

class FunctionCheck {
 public:
  FunctionCheck(const Query& query, const FunctionCheckOptions& options, const WorldNeeds& needs, CheckedFunction& out)
      : in_(query),
        replays_(options.replays),
        may_go_far_(options.may_go_far),
        is_open_(options.is_open),
        needs_(needs),
        worlds_(query),
        out_(out) {}

  void run(const Summary& s) {
    if (s.has_divergence) compare(s);
    check_arguments(s);
    check_decorated(s.function, s);
    check_wrapped(s.function, s);
  }

 private:
  LockstepResult walk(Lockstep lockstep) {
    LockstepResult result = lockstep.run(may_go_far_ && states_ < kMostStatesOfFunction ? kMostStates : kFewStates);
    states_ += result.states;
    out_.states += result.states;
    return result;
  }

  // All comparisons of a function along one group.
  struct Comparison {
    Frames frames;
    const std::function<bool(FunctionKey)>& opens;
    WalksInOrder in_order = {}, views_in_order = {};
  };

  void compare(const Summary& s, const std::vector<ValueId>& captures = {}) {
    states_ = 0;
    const std::function<bool(FunctionKey)> opens = [&](FunctionKey f) {
      return is_open_(f) || out_.found.open().contains(f);
    };
    const AxisSet& divergence = in_.values().axes(s.divergence);
    AxisSet named;
    worlds_.collect_axes(s, named);
    std::vector<UsedGroup> in_order;  // on which no two ranks were found to part
    const std::vector<UsedGroup> groups = worlds_.groups_of(s), known = worlds_.with_asked(groups, s);
    const bool mixed_up = std::ranges::count_if(groups, [&](const UsedGroup& g) { return worlds_.is_nameless(g); }) > 1;
    for (const auto& [group, listed] : groups) {
      if (mixed_up && worlds_.is_nameless({group, listed})) continue;  // what goes by another may be its counterpart
      if (has_one_member(listed)) continue;                            // it never waits
      size_t found = 0;
      AxisSet axes;
      axes.add(group);
      if (group.world) axes = AxisSet{};
      for (const Axis& axis : named.axes) axes.add(axis);
      for (const auto& [axis, count] : needs_.along)  // of its callees
        if (axes.axes.size() < World::kMostAxes) axes.add(axis);
      const auto small = worlds_.world_of(axes, known, {});
      Comparison along{Frames(in_, s, group, listed, {}, captures), opens};
      // Along other axes than the group's its members decide alike.
      const bool by_rank = overlap(divergence, group) || worlds_.depends_on_unknown_group(divergence);
      // First where all that is asked of the number of ranks has an answer.
      if (const auto large = worlds_.large_world(axes, needs_); by_rank && large)
        found += compare_ranks(s, {group, listed}, large, along);
      if (!found && by_rank) found += compare_ranks(s, {group, listed}, small, along);
      ComparedWorlds::Worlds others;
      if (by_rank || s.has_local_divergence) others = worlds_.other_worlds(axes, known, *small, needs_);
      for (const auto& larger : others)
        if (!found && by_rank) found += compare_ranks(s, {group, listed}, larger, along);
      if (!found && by_rank) in_order.push_back({group, listed});
      if (!s.has_local_divergence) continue;
      // Of ranks that part by their number there is no more to say.
      const bool of_each = !found && !divergence.empty();
      found = compare_views(s, {group, listed}, small, of_each ? kMostViews : 1, along);
      for (const auto& larger : others)
        if (!found && of_each) found = compare_views(s, {group, listed}, larger, kMostViews, along);
    }
    for (size_t i = 0; i < in_order.size(); ++i)
      for (size_t j = i + 1; j < in_order.size(); ++j) compare_order(s, in_order[i], in_order[j], named, groups);
  }

  bool has_one_member(ValueId listed) const {
    const std::optional<ListedRanks> ranks = listed.valid() ? listed_ranks(in_, listed) : std::nullopt;
    return ranks && ranks->size() == 1;
  }

  // The first member of the first and of the last such group with each of the others. Of one that was made of a list
  // there is one only.
  size_t compare_ranks(const Summary& s, const UsedGroup& group, const std::shared_ptr<const World>& world,
                       Comparison& along) {
    std::set<std::pair<uint32_t, uint32_t>> pairs;
    const ListedRanks listed = worlds_.members_of(group);
    const uint32_t first = first_member(listed), last = listed.empty() ? world->size() - 1 : first;
    for (uint32_t of : {first, last}) {
      const std::vector<uint32_t> members = world->members(of, group.axes);
      for (size_t i = 1; i < members.size(); ++i) pairs.insert({members[0], members[i]});
    }
    size_t found = 0;
    for (const auto& [a, b] : pairs) {
      Scenario sa(in_, *world, a), sb(in_, *world, b);
      found += compare_two(s, *world, along, sa, sb, false);
    }
    return found;
  }

  size_t compare_two(const Summary& s, const World& world, Comparison& along, Scenario& a, Scenario& b, bool by_local) {
    WalksInOrder& in_order = by_local ? along.views_in_order : along.in_order;
    if (in_order.foretell(a, b)) return 0;
    const size_t found =
        out_.found.keep(in_, s.function, world, walk(Lockstep(in_, along.frames, a, b, by_local, along.opens)));
    if (found == 0)
      in_order.add(a, b);
    else
      along.in_order = along.views_in_order = {};  // walks enter the functions that have become open
    return found;
  }

  static uint32_t first_member(const ListedRanks& listed) {
    return listed.empty() ? 0 : static_cast<uint32_t>(*listed.begin());
  }

  // A rank with itself, under different views: the first of these that then goes two ways, one of which is not that of
  // the others.
  size_t compare_views(const Summary& s, const UsedGroup& group, const std::shared_ptr<const World>& world,
                       uint32_t ranks, Comparison& along) {
    const ListedRanks listed = worlds_.members_of(group);
    const uint32_t first = first_member(listed);
    for (uint32_t rank = first; rank < std::min(world->size(), first + ranks); ++rank) {
      if (!listed.empty() && !listed.contains(rank)) continue;
      Scenario sa(in_, *world, rank), sb(in_, *world, rank);
      if (const size_t found = compare_two(s, *world, along, sa, sb, true)) return found;
    }
    return 0;
  }

  // Each group alone is in order: whether two ranks that share both take them in turns.
  void compare_order(const Summary& s, const UsedGroup& first, const UsedGroup& second, const AxisSet& named,
                     const std::vector<UsedGroup>& groups) {
    // Ranks of other colours use groups of their own, which may come in another order: only those of one colour share
    // both.
    if (worlds_.is_distinguished(second)) {
      if (!worlds_.is_distinguished(first) && first.axes.world) compare_order(s, second, first, named, groups);
      return;
    }
    const AxisSet &x = first.axes, &y = second.axes;
    if (worlds_.is_distinguished(first) && !y.world) return;
    const AxisSet shared = common(x, y);
    if (!overlap(in_.values().axes(s.divergence), shared) && !worlds_.is_distinguished(first)) return;
    AxisSet axes = shared;
    if (shared.world) axes = {};
    if (!x.world) axes.add(x);
    if (!y.world) axes.add(y);
    for (const Axis& axis : named.axes) axes.add(axis);
    const auto made = worlds_.world_of(axes, groups, needs_);
    const World& world = *made;
    Frames frames(in_, s, x, {}, y);
    const std::function<bool(FunctionKey)> none = [](FunctionKey) { return false; };
    const uint32_t member = first_member(worlds_.members_of(first));
    const std::vector<uint32_t> members = world.members(member, shared);
    WalksInOrder in_order;
    for (size_t i = 1; i < members.size(); ++i) {
      Scenario sa(in_, world, members[0]), sb(in_, world, members[i]);
      if (in_order.foretell(sa, sb)) continue;
      LockstepResult result = walk(Lockstep(in_, frames, sa, sb, false, none));
      if (result.found.empty() && !result.exhausted) in_order.add(sa, sb);
      for (LockstepResult::Found& found : result.found)
        out_.found.confirm(in_, s.function, world, found.guard, std::move(found.mismatch), found.trace);
    }
  }

  // A function that a decorator runs on some ranks only is checked where it stands: for any caller, the rest of
  // the group does not come along.
  void check_decorated(FunctionKey f, const Summary& s) {
    const ValueId value = in_.function_value(f);
    if (in_.values()[value].kind != ValueKind::Guarded) return;
    const ValueId guard = in_.values().child(value, 1);
    const AxisSet& asked = in_.values().variance(guard);
    AxisSet named = asked;
    worlds_.collect_axes(s, named);
    const std::function<bool(FunctionKey)> none = [](FunctionKey) { return false; };
    const std::vector<UsedGroup> groups = worlds_.groups_of(s);
    for (const auto& [group, listed] : groups) {
      if (!overlap(asked, group)) continue;
      AxisSet axes = group.world ? AxisSet{} : group;
      for (const Axis& axis : named.axes) axes.add(axis);
      const auto world = worlds_.world_of(axes, groups, {});
      const auto [runs, skips] = ranks_apart(*world, group, guard);
      if (runs == skips) continue;
      Frames frames(in_, s, group, listed);
      Scenario of_runs(in_, *world, runs), of_skips(in_, *world, skips);
      LockstepResult result = Lockstep(in_, frames, of_runs, of_skips, false, none)
                                  .run_under(guard, in_.index().function(f).name_range, kMostStates);
      for (LockstepResult::Found& found : result.found) {
        // Ranks that run it go the first one's way; there is no divergence in it.
        std::erase_if(found.trace.first.decisions,
                      [](const Decision& turn) { return turn.kind == Decision::Kind::Divergence; });
        found.trace.guard = guard;
        found.trace.condition = {};
        found.trace.second.decisions = found.trace.first.decisions;
        out_.found.confirm(in_, f, *world, {f.index, kDecorator, 0}, std::move(found.mismatch), found.trace);
      }
    }
  }

  // Two ranks of one such group, the guard holds for the first and not for the second. The same one twice: there are
  // none.
  std::pair<uint32_t, uint32_t> ranks_apart(const World& world, const AxisSet& group, ValueId guard) {
    const auto holds = [&](uint32_t rank) { return in_.values().truth(Scenario(in_, world, rank).residual(guard)); };
    for (uint32_t runs = 0; runs < world.size(); ++runs) {
      if (holds(runs) != ValueStore::Truth::Yes) continue;
      for (const uint32_t skips : world.members(runs, group))
        if (holds(skips) == ValueStore::Truth::No) return {runs, skips};
    }
    return {0, 0};
  }

  // A function that a decorator of the project wraps is what the wrapper makes of it, called or not.
  void check_wrapped(FunctionKey f, const Summary& s) {
    if (!s.communicates || in_.index().function(f).decorators.empty()) return;
    const Value value = in_.values()[in_.function_value(f)];
    if (value.kind != ValueKind::Function || value.a == f.index || value.child_count == 0) return;
    const Summary* wrapper = in_.summary(FunctionKey{value.a});
    if (!wrapper || !wrapper->calls_captures || !wrapper->has_divergence) return;
    Summary whole = *wrapper;
    whole.communicates = true;
    for (const ValueId group : s.groups)
      if (!group.valid() || in_.values()[group].closed) whole.groups.push_back(group);
    compare(whole, std::vector<ValueId>(value.first_child, value.first_child + value.child_count));
  }

  void check_arguments(const Summary& s) {
    for (const BlockSteps& block : s.blocks)
      for (const Step& step : block.steps) {
        if (!step.event || !step.event->ranks.valid() || step.event->model->kind != ModelKind::GroupCreate) continue;
        const ValueId ranks = step.event->ranks;
        const AxisSet& varies = in_.values().variance(ranks);
        if (varies.empty()) continue;
        // A group of oneself, made by every rank at one place: no rank waits for another.
        if (in_.values()[ranks].kind == ValueKind::Tuple && in_.values()[ranks].child_count == 1) continue;
        DivergentArgument d;
        d.function = s.function;
        d.range = step.range;
        d.op = step.event->model->op;
        d.group = describe(*in_.resolve_group(step.event->group, Unknown::FreshAxis), in_.index().names());
        d.certainty = in_.values()[ranks].believed ? Confidence::Likely : Confidence::High;
        if (replays_) {
          DecisionTrace trace;
          trace.root = s.function;
          trace.second.rank = 1;
          AxisSet named;
          worlds_.collect_axes(s, named);
          d.replay =
              std::make_shared<const Replay>(replay_at(in_, trace, worlds_.world_of(named), s.function, step.range));
        }
        out_.arguments.push_back(std::move(d));
      }
  }

  const Query& in_;
  const bool replays_, may_go_far_;
  const std::function<bool(FunctionKey)>& is_open_;
  const WorldNeeds& needs_;
  ComparedWorlds worlds_;
  size_t states_ = 0;  // of the comparison at hand
  CheckedFunction& out_;
};

}  // namespace

CheckedFunction check_function(const Query& in, const Summary& summary, const WorldNeeds& needs,
                               const FunctionCheckOptions& options) {
  CheckedFunction out{.found = FoundInFunction(options.replays)};
  in.contain(summary.function, "comparison of ranks", [&] { FunctionCheck(in, options, needs, out).run(summary); });
  return out;
}

bool needs_check(const ProjectIndex& index, const Summary& summary) {
  if (!summary.communicates) return false;
  const auto makes_group = [](const Step& step) {
    return step.event && step.event->model->kind == ModelKind::GroupCreate;
  };
  return summary.has_divergence || !index.function(summary.function).decorators.empty() ||
         std::ranges::any_of(summary.blocks,
                             [&](const BlockSteps& block) { return std::ranges::any_of(block.steps, makes_group); });
}

}  // namespace ranklint
