// Which comparisons are made, and what is kept of them.
//
// Callees are judged before callers. Where one class of ranks waits at a collective and the other reaches the end
// of the function, the function alone can't tell: its caller may make the matching call on the other side (the
// barrier-pair idiom cut in two). Such a function is "open": callers enter it, and the finding stands unless they
// meet the parting and see both classes agree after all.
#include "analyzer/compare/judge.h"

#include <algorithm>
#include <functional>
#include <map>
#include <set>

#include "analyzer/compare/follow.h"
#include "analyzer/compare/lockstep.h"
#include "analyzer/compare/made_by_some.h"
#include "analyzer/compare/needs.h"
#include "analyzer/flow/deciding_branch.h"
#include "analyzer/resolve/dotted.h"
#include "analyzer/summary/is_call.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

constexpr size_t kMostGroups = 8;
// Pairs of positions that one comparison visits; that all of one function do, and all of the project, before those
// that follow have to do with few: small functions are judged to the end then, too.
constexpr size_t kMostStates = 3000;
constexpr size_t kMostStatesOfFunction = 12000;
constexpr size_t kMostStatesOfProject = 5000000;
constexpr size_t kMostStatesOfEdit = 10000;  // of the functions that an edit touches: somebody is typing
constexpr size_t kFewStates = 150;
constexpr uint32_t kMostViews = 9;  // ranks that are compared with themselves

using Guard = std::tuple<uint32_t, uint32_t, uint32_t>;

}  // namespace

class Judgement::Judge {
 public:
  Judge(Interpreter& interpreter, bool replays) : in_(interpreter), replays_(replays) {
    local_ = in_.index().spell("local");
    node_ = in_.index().spell("node");
  }

  void run(Facts& facts) {
    facts_ = &facts;
    state_.resize(in_.index().functions().size(), 0);
    pending_.clear();
    confirmed_.clear();
    parted_.clear();
    states_ = 0;
    for (const FunctionKey f : in_.judged())
      if (in_.index().function(f).kind != ir::FunctionKind::ClassBody) judge(f);
    settle();
  }

 private:
  struct Pending {
    Mismatch mismatch;
    FunctionKey root;
    std::string key;  // operation and group
    Way way;
    std::shared_ptr<const World> world;
  };

  void judge(FunctionKey f) {
    if (state_[f.index] || in_.is_stopped()) return;
    state_[f.index] = 1;
    const Summary* s = in_.summary(f);
    if (s && s->communicates) {
      for (const BlockSteps& block : s->blocks)
        for (const Step& step : block.steps)
          if (is_call(step))
            for (const Target& target : in_.targets(step.call.callee)) {
              callers_[target.function.index].insert(f.index);
              if (depth_ < 200) {
                ++depth_;
                judge(target.function);
                --depth_;
              }
              needs_[f.index].add(needs_[target.function.index]);
            }
      note_needs(*s);
      if (s->has_divergence) compare(*s);
      check_arguments(*s);
      check_decorated(f, *s);
    }
    if (s) check_wrapped(f, *s);
    state_[f.index] = 2;
  }

  struct Group {
    AxisSet axes;
    ValueId members;
  };
  using Worlds = std::vector<std::shared_ptr<const World>>;

  // Every group the function uses, each once.
  std::vector<Group> groups_of(const Summary& s) {
    std::vector<Group> groups;
    for (ValueId v : s.groups) {
      if (is_made_by_some(in_, s, v)) continue;
      const AxisSet axes = *in_.as_group(v, true);
      if (std::any_of(groups.begin(), groups.end(), [&](const Group& g) { return g.axes == axes; })) continue;
      const ValueId made = made_group(v);
      const bool listed = made.valid() && in_.values()[made].kind == ValueKind::Group && in_.values()[made].child_count;
      groups.push_back({axes, listed ? in_.values().child(made, 0) : ValueId{}});
    }
    if (groups.size() > kMostGroups) groups.resize(kMostGroups);
    return groups;
  }

  // Of a choice between a group and None, which is the world, the group.
  ValueId made_group(ValueId v) const {
    const ValueStore& values = in_.values();
    while (v.valid() && values[v].kind == ValueKind::Conditional) {
      const ValueId yes = values.child(v, 1), no = values.child(v, 2);
      if (values[yes].kind != ValueKind::None && values[no].kind != ValueKind::None) break;
      v = values[yes].kind == ValueKind::None ? no : yes;
    }
    return v;
  }

  // What its conditions ask of a world, and what it hands over as conditions.
  void note_needs(const Summary& s) {
    WorldNeeds& needs = needs_[s.function.index];
    for (const BlockSteps& block : s.blocks) {
      add_needs(in_.values(), block.condition, needs);
      for (const Step& step : block.steps) {
        for (ValueId v : step.call.positional) add_needs(in_.values(), v, needs);
        for (const auto& [name, v] : step.call.keywords) add_needs(in_.values(), v, needs);
      }
    }
  }

  // The axes that conditions and groups of the function name.
  void collect_axes(const Summary& s, AxisSet& axes) {
    auto add = [&](const AxisSet& set) {
      for (Symbol axis : set.axes)
        if (in_.index().names().text(axis) != "?") axes.add(axis);
    };
    for (const BlockSteps& block : s.blocks) {
      if (block.condition.valid()) add(in_.values().variance(block.condition));
      for (const Step& step : block.steps) {
        for (ValueId v : step.call.positional) add(in_.values().variance(v));
        for (const auto& [name, v] : step.call.keywords) add(in_.values().variance(v));
      }
    }
  }

  // Nothing is known of it but where it came from: two of these may be the same group.
  bool is_nameless(const Group& group) const {
    if (group.axes.axes.size() != 1) return false;
    const std::string_view name = in_.index().names().text(group.axes.axes[0]);
    const std::string_view shown = name.substr(0, name.find(kHidden));
    return shown != name && (shown == "a group" || shown.ends_with(')'));  // or the result of a call: "groups.get(...)"
  }

  // Of the members `range(n)`: whether a rank is below n.
  ValueId below_count(ValueId members) const {
    ValueStore& values = in_.values();
    if (function_of(values, in_.index(), members) == "list" && values[members].child_count == 1) members = values.child(members, 0);
    const uint32_t bounds = function_of(values, in_.index(), members) == "range" ? values[members].child_count : 0;
    int64_t first = 0;
    if (bounds == 0 || bounds > 2 || (bounds == 2 && !(values.integer_of(values.child(members, 0), first) && first == 0))) return {};
    return values.binary(ir::Operator::Less, values.coordinate(AxisSet{.world = true, .axes = {}}), values.child(members, bounds - 1));
  }

  // The colour by which the ranks of the group were told from others. Invalid: it was not made that way.
  ValueId color_of(const Group& group) const {
    if (!group.members.valid() || group.axes.axes.size() != 1) return {};
    const bool colored = function_of(in_.values(), in_.index(), group.members) == "<color>";
    return colored ? in_.values().child(group.members, 0) : below_count(group.members);
  }

  // A group made by colour is no dimension of the mesh: who is in it follows from the colour.
  AxisSet without_colored(const AxisSet& axes, const std::vector<Group>& groups) const {
    AxisSet plain;
    for (Symbol axis : axes.axes)
      if (std::none_of(groups.begin(), groups.end(), [&](const Group& g) { return color_of(g).valid() && g.axes.axes[0] == axis; }))
        plain.add(axis);
    return plain;
  }

  void split_by_color(World& world, const std::vector<Group>& groups) {
    for (const Group& group : groups) {
      const ValueId color = color_of(group);
      if (!color.valid()) continue;
      // Ranks whose colours are the same term are in one group, whatever its value.
      std::vector<int64_t> colours;
      for (uint32_t rank = 0; rank < world.size(); ++rank) colours.push_back(Scenario(in_, world, rank).residual(color).index);
      world.split(group.axes.axes[0], std::move(colours));
    }
  }

  // Whether a condition asks for the rank in a group that only the caller knows, or within a node.
  bool asks_unknown_group(const AxisSet& axes) const {
    return std::any_of(axes.axes.begin(), axes.axes.end(), [&](Symbol axis) {
      return axis == local_ || axis == node_ || in_.index().names().text(axis) == "?";
    });
  }

  LockstepResult walk(Lockstep lockstep) {
    const size_t most = in_.judged().first == 0 ? kMostStatesOfProject : kMostStatesOfEdit;
    const bool many = states_of_function_ < kMostStatesOfFunction && states_ < most;
    LockstepResult result = lockstep.run(many ? kMostStates : kFewStates);
    states_of_function_ += result.states;
    states_ += result.states;
    return result;
  }

  void compare(const Summary& s, const std::vector<ValueId>& captures = {}) {
    states_of_function_ = 0;
    const std::function<bool(FunctionKey)> opens = [&](FunctionKey f) { return open_.count(f.index) != 0; };
    AxisSet named;
    collect_axes(s, named);
    std::vector<Group> in_order;  // on which no two ranks were found to part
    const std::vector<Group> groups = groups_of(s);
    const bool mixed_up = std::ranges::count_if(groups, [&](const Group& g) { return is_nameless(g); }) > 1;
    for (const auto& [group, listed] : groups) {
      if (mixed_up && is_nameless({group, listed})) continue;  // what goes by another may be its counterpart
      size_t found = 0;
      AxisSet axes;
      axes.add(group);
      if (group.world) axes = AxisSet{};
      for (Symbol axis : named.axes) axes.add(axis);
      for (const auto& [axis, count] : needs_[s.function.index].along)  // of its callees
        if (axes.axes.size() < World::kMostAxes) axes.add(axis);
      const auto small = world_of(axes, groups, {});
      Frames frames(in_, s, group, listed, {}, captures);
      // Along other axes than the group's its members decide alike.
      const bool by_rank = overlap(s.divergence, group) || asks_unknown_group(s.divergence);
      if (by_rank) found += compare_ranks(s, group, small, frames, opens);
      const Worlds others = by_rank || s.has_local_divergence ? other_worlds(axes, groups, *small, needs_[s.function.index]) : Worlds{};
      for (const auto& larger : others)
        if (!found && by_rank) found += compare_ranks(s, group, larger, frames, opens);
      if (!found && by_rank) in_order.push_back({group, listed});
      if (!s.has_local_divergence) continue;
      // Of ranks that part by their number there is no more to say.
      const bool of_each = !found && !s.divergence.empty();
      found = compare_views(s, small, of_each ? kMostViews : 1, frames, opens);
      for (const auto& larger : others)
        if (!found && of_each) found = compare_views(s, larger, kMostViews, frames, opens);
    }
    for (size_t i = 0; i < in_order.size(); ++i)
      for (size_t j = i + 1; j < in_order.size(); ++j) compare_order(s, in_order[i], in_order[j], named, groups);
  }

  std::shared_ptr<const World> world_of(const AxisSet& axes, const std::vector<Group>& groups, const WorldNeeds& needs) {
    World world(without_colored(axes, groups), local_, node_, needs);
    split_by_color(world, groups);
    return std::make_shared<const World>(std::move(world));
  }

  // Where the conditions ask for more ranks than there are in the small world, or for other numbers of them.
  Worlds other_worlds(const AxisSet& axes, const std::vector<Group>& groups, const World& small, const WorldNeeds& needs) {
    Worlds worlds;
    if (auto large = world_of(axes, groups, needs); large->size() != small.size()) worlds.push_back(std::move(large));
    // A question for the rank in the world may be answered along one axis, whose ranks are all there are.
    if (needs.ranks > 2)
      for (Symbol axis : axes.axes) {
        if (in_.index().names().text(axis).find(kHidden) != std::string_view::npos) continue;  // some ranks, by a list perhaps
        WorldNeeds along = needs;
        along.along[axis] = std::max(along.along[axis], std::min(needs.ranks, World::kMostAlong));
        worlds.push_back(world_of(axes, groups, along));
      }
    if (!needs.depends_on_size()) return worlds;
    if (axes.axes.empty()) {
      for (const uint32_t ranks : {2u, 3u}) worlds.push_back(std::make_shared<const World>(World::flat(ranks)));
      return worlds;
    }
    for (const uint32_t ranks : {3u, 4u}) {
      WorldNeeds of_each;
      for (const auto& [axis, count] : needs.along) of_each.along[axis] = ranks;
      worlds.push_back(world_of(axes, groups, of_each));
    }
    return worlds;
  }

  // The first member of the first and of the last such group with each of the others.
  size_t compare_ranks(const Summary& s, const AxisSet& group, const std::shared_ptr<const World>& world, Frames& frames,
                       const std::function<bool(FunctionKey)>& opens) {
    std::set<std::pair<uint32_t, uint32_t>> pairs;
    for (uint32_t of : {0u, world->size() - 1}) {
      const std::vector<uint32_t> members = world->members(of, group);
      for (size_t i = 1; i < members.size(); ++i) pairs.insert({members[0], members[i]});
    }
    size_t found = 0;
    for (const auto& [a, b] : pairs) {
      Scenario sa(in_, *world, a), sb(in_, *world, b);
      found += keep(s, world, walk(Lockstep(in_, frames, sa, sb, false, opens)));
    }
    return found;
  }

  // A rank with itself, seeing this and that: the first of so many that goes two ways then, one of which is not that of the others.
  size_t compare_views(const Summary& s, const std::shared_ptr<const World>& world, uint32_t ranks, Frames& frames,
                       const std::function<bool(FunctionKey)>& opens) {
    for (uint32_t rank = 0; rank < std::min(world->size(), ranks); ++rank) {
      Scenario sa(in_, *world, rank), sb(in_, *world, rank);
      if (const size_t found = keep(s, world, walk(Lockstep(in_, frames, sa, sb, true, opens)))) return found;
    }
    return 0;
  }

  // The axes in which two ranks may differ that are both in both groups.
  AxisSet common(const AxisSet& x, const AxisSet& y) const {
    if (x.world) return y;
    if (y.world) return x;
    AxisSet both;
    for (Symbol axis : x.axes)
      if (std::binary_search(y.axes.begin(), y.axes.end(), axis)) both.add(axis);
    return both;
  }

  // Each group alone is in order: whether two ranks that share both take them in turns.
  void compare_order(const Summary& s, const Group& first, const Group& second, const AxisSet& named, const std::vector<Group>& groups) {
    // Ranks of other colours use groups of their own, which may come in another order: only those of one colour share both.
    if (color_of(second).valid()) {
      if (!color_of(first).valid() && first.axes.world) compare_order(s, second, first, named, groups);
      return;
    }
    const AxisSet &x = first.axes, &y = second.axes;
    if (color_of(first).valid() && !y.world) return;
    const AxisSet shared = common(x, y);
    if (!overlap(s.divergence, shared) && !color_of(first).valid()) return;
    AxisSet axes = shared;
    if (shared.world) axes = {};
    if (!x.world) axes.add(x);
    if (!y.world) axes.add(y);
    for (Symbol axis : named.axes) axes.add(axis);
    const auto made = world_of(axes, groups, needs_[s.function.index]);
    const World& world = *made;
    Frames frames(in_, s, x, {}, y);
    const std::function<bool(FunctionKey)> none = [](FunctionKey) { return false; };
    const std::vector<uint32_t> members = world.members(0, shared);
    for (size_t i = 1; i < members.size(); ++i) {
      Scenario sa(in_, world, members[0]), sb(in_, world, members[i]);
      for (LockstepResult::Found& found : walk(Lockstep(in_, frames, sa, sb, false, none)).found)
        confirmed_[found.guard].push_back({found.mismatch, s.function, found.mismatch.first.op + "@" + found.mismatch.group, found.way, made});
    }
  }

  // How many mismatches there are. A walk that ran out of budget counts as one.
  size_t keep(const Summary& s, const std::shared_ptr<const World>& world, LockstepResult result) {
    // A walk that ran out of budget has refuted nothing.
    if (result.exhausted) in_.note_limit(s.function);
    else
      for (const Guard& guard : result.parted) parted_[guard].insert(s.function.index);
    for (LockstepResult::Found& found : result.found) {
      Mismatch& m = found.mismatch;
      if (found.at_end) {
        open_.insert(s.function.index);
        pending_[found.guard].push_back({m, s.function, m.first.op + "@" + m.group, std::move(found.way), world});
      } else {
        confirmed_[found.guard].push_back({m, s.function, m.first.op + "@" + m.group, std::move(found.way), world});
      }
    }
    return result.found.size() + result.exhausted;
  }

  // A function that a decorator runs on some ranks only is judged where it stands: whoever calls it, the rest of
  // the group does not come along.
  void check_decorated(FunctionKey f, const Summary& s) {
    const ValueId value = in_.function_value(f);
    if (in_.values()[value].kind != ValueKind::Guarded) return;
    const ValueId guard = in_.values().child(value, 1);
    const ir::Function& code = in_.index().function(f);
    for (const BlockSteps& block : s.blocks)
      for (const Step& step : block.steps) {
        Mismatch m;
        FunctionKey at = f;
        const Step* found = &step;
        for (int depth = 0; depth < 12 && found && !found->event; ++depth) {
          const auto targets = in_.targets(found->call.callee);
          m.first.steps.push_back({PathStep::Kind::Call, at, found->range, depth, targets.empty() ? "" : std::string(in_.index().qualified_name(targets[0].function)), ""});
          found = nullptr;
          if (targets.empty()) break;
          at = targets[0].function;
          const Summary* inner = in_.summary(at);
          for (const BlockSteps& b : inner->blocks)
            for (const Step& next : b.steps)
              if (!found && (next.event || (!next.leaves && !next.yields))) found = &next;
        }
        if (!found || !found->event) continue;
        const auto axes = in_.as_group(found->event->group, true);
        if (!overlap(in_.values().variance(guard), *axes)) continue;
        m.function = f;
        m.guard = code.name_range;
        m.guard_axes = in_.values().variance(guard);
        m.group = describe(*axes, in_.index().names());
        m.certainty = std::min({Certainty::High, model_certainty(*found->event->model), in_.group_certainty(found->event->group)});
        m.first.at_collective = true;
        m.first.op = found->event->model->op;
        m.first.about = found->event->model->about;
        m.first.called = last_part(found->event->model->name);
        m.first.ranks = "rank 0";
        m.second.ranks = "the other ranks";
        m.first.steps.push_back({PathStep::Kind::Collective, at, found->range, static_cast<int>(m.first.steps.size()), m.first.op, m.group});
        if (replays_) {
          Way way;
          way.root = f;
          way.guard = guard;
          AxisSet named = *axes;
          named.add(in_.values().variance(guard));
          add_replay(m, {m, f, {}, way, std::make_shared<const World>(named.world ? AxisSet{} : named, local_, node_)});
        }
        facts_->mismatches.push_back(std::move(m));
        return;
      }
  }

  // A function that a decorator of the project wraps is what the wrapper makes of it, whether or not anybody calls it.
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
        // A group of oneself, made by everyone at one place: nobody waits for anybody.
        if (in_.values()[ranks].kind == ValueKind::Tuple && in_.values()[ranks].child_count == 1) continue;
        DivergentArgument d;
        d.function = s.function;
        d.range = step.range;
        d.op = step.event->model->op;
        d.group = describe(*in_.as_group(step.event->group, true), in_.index().names());
        d.certainty = in_.values()[ranks].believed ? Certainty::Likely : Certainty::High;
        if (replays_) {
          Way way;
          way.root = s.function;
          way.second.rank = 1;
          AxisSet named;
          collect_axes(s, named);
          d.replay = std::make_shared<const Replay>(replay_at(way, World(named, local_, node_), s.function, step.range));
        }
        facts_->divergent_arguments.push_back(std::move(d));
      }
  }

  // How good a witness is: surest first, then fewest assumptions, then the shortest way.
  static auto quality(const Mismatch& m) {
    return std::tuple(-static_cast<int>(m.certainty), m.first.creates_group, m.assumptions.size(), m.first.steps.size(),
                      m.first.op, m.group);
  }

  // What one finding is made of: all that is found at a guard, or at a place that hands over what parts the ranks there.
  static Guard told_at(const Guard& guard, const Mismatch& m) {
    return m.handed_over_by.valid() ? Guard{m.handed_over_by.index, ~m.handed_over_at.line, m.handed_over_at.column} : guard;
  }

  void settle() {
    std::map<Guard, std::vector<Pending>> all;
    auto take = [&](const Guard& guard, const Pending& p) {
      if (!is_senders_own(p)) all[told_at(guard, p.mismatch)].push_back(p);
    };
    for (const auto& [guard, list] : confirmed_)
      for (const Pending& p : list) take(guard, p);
    for (const auto& [guard, list] : pending_) {
      std::map<uint32_t, bool> known;
      for (const Pending& p : list)
        if (stands(p.root.index, guard, known)) take(guard, p);
    }
    for (auto& [guard, list] : all) {
      // Of equals the one found first: it is told from rank 0.
      std::stable_sort(list.begin(), list.end(),
                       [](const Pending& x, const Pending& y) { return quality(x.mismatch) < quality(y.mismatch); });
      if (is_told(list.front().mismatch)) continue;
      facts_->mismatches.push_back(list.front().mismatch);
      if (replays_) add_replay(facts_->mismatches.back(), list.front());
    }
  }

  // `if bad(x) or bad(y): return`: both halves part the ranks on one line, and nothing else differs.
  bool is_told(const Mismatch& m) const {
    const auto ends_alike = [](const Arrival& a, const Arrival& b) {
      return a.op == b.op && (a.steps.empty() ? b.steps.empty() : !b.steps.empty() && a.steps.back().function == b.steps.back().function && a.steps.back().range == b.steps.back().range);
    };
    return m.guard.line != 0 && std::ranges::any_of(facts_->mismatches, [&](const Mismatch& other) {
      return other.handed_over_by == m.handed_over_by && other.function == m.function && other.guard.line == m.guard.line && other.cause == m.cause && other.group == m.group &&
             other.left_early == m.left_early && other.exit == m.exit && ends_alike(other.first, m.first) && ends_alike(other.second, m.second);
    });
  }

  // `broadcast(x, src=get_rank())` in a helper that one rank calls: its callers decide who does, each by a condition, and
  // the others name that rank elsewhere.
  bool is_senders_own(const Pending& p) {
    const Mismatch& m = p.mismatch;
    if (m.cause != Mismatch::Cause::RootDiffers || m.function != p.root || m.handed_over_by.valid()) return false;
    const auto callers = callers_.find(p.root.index);
    // A function in a function is mostly called by its siblings, which capture it.
    if (callers == callers_.end()) return is_nested(p.root);
    return std::all_of(callers->second.begin(), callers->second.end(), [&](uint32_t caller) { return calls_by_choice(FunctionKey{caller}, p.root); });
  }

  bool is_nested(FunctionKey f) const {
    const FunctionKey around = in_.index().functions()[f].parent;
    return around.valid() && in_.index().function(around).kind == ir::FunctionKind::Function;
  }

  bool calls_by_choice(FunctionKey caller, FunctionKey callee) {
    const Summary& s = *in_.summary(caller);
    for (ir::BlockId b : s.graph.order())
      for (const Step& step : s.blocks[b.index].steps) {
        const std::vector<Target> targets = step.call.callee.valid() ? in_.targets(step.call.callee) : std::vector<Target>();
        const bool calls = std::any_of(targets.begin(), targets.end(), [&](const Target& t) { return t.function == callee; });
        if (calls && is_on_every_path(s.graph, in_.index().function(s.function), b)) return false;
      }
    return true;
  }

  Replay replay_at(const Way& way, const World& world, FunctionKey function, SourceRange waits) {
    Replay replay = follow(in_, world, way);
    replay.path = in_.index().path(function);
    replay.waits = waits;
    return replay;
  }

  void add_replay(Mismatch& mismatch, const Pending& from) {
    const auto& steps = mismatch.first.steps;
    const FunctionKey function = steps.empty() ? mismatch.function : steps.back().function;
    mismatch.replay = std::make_shared<const Replay>(
        replay_at(from.way, *from.world, function, steps.empty() ? mismatch.guard : steps.back().range));
  }

  // Whether an unfinished mismatch found from `root` survives its callers. `known` holds the answers found for the
  // guard, and yes for functions being asked about: who calls himself refutes nothing by it.
  bool stands(uint32_t root, const Guard& guard, std::map<uint32_t, bool>& known) {
    if (const auto [place, fresh] = known.emplace(root, true); !fresh) return place->second;
    return known[root] = survives_callers(root, guard, known);
  }

  bool survives_callers(uint32_t root, const Guard& guard, std::map<uint32_t, bool>& known) {
    auto callers = callers_.find(root);
    const std::string_view name = in_.index().qualified_name(FunctionKey{root});
    // Half of a pair: what enters is judged with what leaves, where it is used.
    if (name.ends_with("__enter__") || name.ends_with("__exit__") || name.ends_with("__aenter__") || name.ends_with("__aexit__"))
      return false;
    if (callers == callers_.end()) return true;
    auto met = parted_.find(guard);
    bool refuted = false;
    for (uint32_t caller : callers->second) {
      if (met == parted_.end() || !met->second.count(caller)) continue;
      auto found_by = [&](const std::map<Guard, std::vector<Pending>>& found) {
        auto at = found.find(guard);
        return at != found.end() && std::any_of(at->second.begin(), at->second.end(),
                                                [&](const Pending& p) { return p.root.index == caller; });
      };
      if (found_by(confirmed_)) return true;
      if (found_by(pending_)) {
        if (stands(caller, guard, known)) return true;
      }
      refuted = true;
    }
    return !refuted;
  }

  Interpreter& in_;
  Facts* facts_ = nullptr;
  const bool replays_;
  Symbol local_, node_;
  std::vector<uint8_t> state_;
  int depth_ = 0;
  size_t states_ = 0, states_of_function_ = 0;
  std::map<uint32_t, std::set<uint32_t>> callers_;
  std::map<uint32_t, WorldNeeds> needs_;
  std::set<uint32_t> open_;
  std::map<Guard, std::vector<Pending>> pending_, confirmed_;
  std::map<Guard, std::set<uint32_t>> parted_;
};

Judgement::Judgement(Interpreter& interpreter, bool replays) : judge_(std::make_unique<Judge>(interpreter, replays)) {}
Judgement::~Judgement() = default;
void Judgement::run(Facts& facts) { judge_->run(facts); }

}  // namespace ranklint
