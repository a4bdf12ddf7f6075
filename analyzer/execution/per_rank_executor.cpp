// One rank at a time through the code, on behalf of every group, as a program runs.
//
// The comparison that found a mismatch looked at two ranks and one group, and passed over calls that both made alike.
// Here every rank of the world goes alone, into every call that communicates, and leaves its steps in order. Three
// things lead it: its number, where a condition follows from it; the decisions of its class (decision_trace.h), where
// the comparison had to choose; and for what neither decides, one choice for all ranks, since what is unknown is
// uniform. A rank that is neither of the two compared joins the class that its number puts it in where they diverge.
//
// So a replay shares no step with the comparison but its decisions. It does not say that the ranks then wait forever:
// a run of the replay shows that.
#include "analyzer/execution/per_rank_executor.h"

#include <algorithm>
#include <map>
#include <set>

#include "analyzer/execution/execution.h"
#include "analyzer/execution/implied.h"
#include "analyzer/execution/rounds.h"
#include "analyzer/execution/sizes.h"
#include "analyzer/flow/reached.h"
#include "analyzer/questions/listed_ranks.h"
#include "analyzer/variance/terms.h"

namespace ranklint {
namespace {

constexpr size_t kMostSteps = 400;        // that one rank leaves
constexpr size_t kMostPositions = 40000;  // that one rank passes
using Truth = ValueStore::Truth;

// One rank on its way.
struct Walker {
  uint32_t rank = 0;
  Scenario scenario;
  RankState state = {};
  const RankClassTrace* of_class = nullptr;
  size_t cursor = 0;  // into the decisions of its class
  std::vector<ReplayStep> steps = {};
  std::optional<size_t> diverged = {};
  bool fails = false;
};

class PerRankExecutor {
 public:
  PerRankExecutor(const Query& query, const World& world, const DecisionTrace& trace)
      : in_(query),
        values_(query.values()),
        world_(world),
        trace_(trace),
        frames_(query, *query.summary(trace.root), trace.captures),
        execution_(query, frames_),
        made_(trace.shared) {}

  Replay run() {
    replay_.world_size = world_.size();
    bool first_diverged = false, second_diverged = false;
    for (uint32_t rank = 0; rank < world_.size(); ++rank) {
      Walker walker{.rank = rank, .scenario = Scenario(in_, world_, rank), .state = {.at = frames_.start()}};
      walker.of_class = class_of(walker);
      if (runs_root(walker)) walk(walker);
      if (walker.diverged) (walker.of_class == &trace_.first ? first_diverged : second_diverged) = true;
      if (trace_.condition.valid()) replay_.diverged.push_back(walker.diverged.value_or(walker.steps.size()));
      replay_.ranks.push_back(std::move(walker.steps));
      replay_.fails.push_back(walker.fails);
    }
    if (trace_.condition.valid()) replay_.waiter = static_cast<int>(trace_.first.rank);
    replay_.parts = !trace_.condition.valid() || (first_diverged && second_diverged);
    return std::move(replay_);
  }

 private:
  bool runs_root(Walker& walker) {
    return !trace_.guard.valid() || values_.truth(walker.scenario.residual(trace_.guard)) == Truth::Yes;
  }

  const RankClassTrace* class_of(Walker& walker) {
    if (trace_.by_local) return walker.rank == trace_.first.rank ? &trace_.first : &trace_.second;
    if (walker.rank == trace_.first.rank) return &trace_.first;
    if (walker.rank == trace_.second.rank || !trace_.condition.valid()) return &trace_.second;
    Scenario first(in_, world_, trace_.first.rank);
    const Truth mine = values_.truth(walker.scenario.residual(trace_.condition));
    return mine != Truth::Unknown && mine == values_.truth(first.residual(trace_.condition)) ? &trace_.first
                                                                                             : &trace_.second;
  }

  void walk(Walker& walker) {
    const Position& at = walker.state.at;
    for (size_t passed = 0; passed < kMostPositions && !at.at_end() && walker.steps.size() < kMostSteps; ++passed) {
      if (fails_assertion(walker))
        move(walker, {.kind = Transition::Kind::Raises, .to = execution_.raised_from(at)});
      else
        move(walker, execution_.next(at, Ask::WhereExitsCount));
    }
  }

  bool fails_assertion(Walker& walker) {
    const Position& at = walker.state.at;
    const auto is_denied = [&](ValueId asserted) { return values_.truth(asserted) == Truth::No; };
    return std::ranges::any_of(asserted_before(in_, frames_, walker.scenario, at, at.block), is_denied);
  }

  void move(Walker& walker, const Transition& move) {
    Position& at = walker.state.at;
    switch (move.kind) {
      case Transition::Kind::Communicates:
        if (!is_of_bare_model(in_, frames_, walker.scenario, at))
          walker.steps.push_back(step_of(walker, at, *move.step));
        break;
      case Transition::Kind::Calls: at = called(walker, move); return;
      case Transition::Kind::Jumps: execution_.take(walker.state, 0, {}); return;
      case Transition::Kind::Asks: note_parting(walker, at); return answer(walker, move);
      case Transition::Kind::Skips: note_parting(walker, at); break;
      case Transition::Kind::Raises: walker.fails = move.to.at_end(); break;
      case Transition::Kind::Passes:
      case Transition::Kind::HandsOver:
      case Transition::Kind::SendsMessage:
      case Transition::Kind::TearsDown:
      case Transition::Kind::Leaves:
      case Transition::Kind::Returns:
      case Transition::Kind::NeverReturns: break;
    }
    at = move.to;
  }

  // Into the function that its class entered there, or else the first one that may run.
  Position called(Walker& walker, const Transition& move) {
    const Position& at = walker.state.at;
    std::vector<Target> open;
    for (const Target& target : move.targets)
      if (!target.guard.valid() || decide(walker, walker.scenario.residual(target.guard)) != Truth::No)
        open.push_back(target);
    if (open.empty()) return move.to;
    const Target* chosen = &open.front();
    if (const Decision* decision = next_decision(walker, at, Decision::Kind::Target))
      for (const Target& target : open)
        if (target.function.index == decision->chosen) chosen = &target;
    const Position inside = frames_.enter(at, *move.step, *chosen);
    return inside.at_end() ? move.to : inside;
  }

  void answer(Walker& walker, const Transition& question) {
    const ValueId term = walker.scenario.residual(question.condition);
    const bool yes = side(walker, question, term);
    execution_.take(walker.state, yes ? 0 : 1, question.is_loop ? term : ValueId{});
  }

  bool side(Walker& walker, const Transition& question, ValueId term) {
    const Position& p = walker.state.at;
    if (const Truth known = values_.truth(term); known != Truth::Unknown) return known == Truth::Yes;
    const Decision* const decision = next_decision(walker, p, Decision::Kind::Side);
    if (question.is_loop)
      if (const Truth more = execution_.another_round(walker.state, term); more != Truth::Unknown)
        return more == Truth::Yes;
    if (question.is_loop && term != question.condition && goes_over_nothing(values_, in_.index(), term)) return false;
    if (decision) {
      if (asks_numbers(values_, in_.index(), term)) replay_.not_computed = place_of(p);
      if (is_guess(question, term)) note_guess(walker, place_of(p));
      return decision->chosen == 0;
    }
    if (question.is_loop) return false;
    if (const Truth known = decide(walker, term); known != Truth::Unknown) return known == Truth::Yes;
    const auto& sides = code(p.frame).blocks[p.block].terminator.successors;
    const bool yes = !leads_on(walker, p, sides[1]) && leads_on(walker, p, sides[0]);
    made_.assume(values_, term, yes);
    return yes;
  }

  // Whether a rank that takes the side of its class may be one that belongs to the other.
  bool is_guess(const Transition& question, ValueId term) const {
    const bool is_by_rank = !values_[question.condition].local && !values_.variance(question.condition).empty();
    return is_by_rank && !question.is_loop && !asks_membership(term) && !rests_on_given(values_, in_.index(), term);
  }

  // Of ranks that are known to be in one class, those in the other are known as well.
  void note_guess(const Walker& walker, std::string place) {
    (walker.of_class == &trace_.first ? guessed_first_ : guessed_second_).insert(place);
    if (guessed_first_.contains(place) && guessed_second_.contains(place)) replay_.not_computed = std::move(place);
  }

  // Whether it asks if a rank is in the group that is compared. The ranks that are executed here are members.
  bool asks_membership(ValueId term) const {
    return trace_.members.valid() && values_[term].kind == ValueKind::Binary &&
           values_.child(term, 1) == trace_.members;
  }

  Truth decide(const Walker& walker, ValueId term) const {
    const Value& v = values_[term];
    if (asks_membership(term)) {
      if (v.op == ir::Operator::In) return Truth::Yes;
      if (v.op == ir::Operator::NotIn) return Truth::No;
    }
    if (const Truth own = walker.of_class->own.decide(values_, term); own != Truth::Unknown) return own;
    return made_.decide(values_, term);
  }

  // Of two sides that nothing decides between, the one that leads on: to the next decision of the trace in this
  // function, or else back to the caller rather than into a raise.
  bool leads_on(const Walker& walker, const Position& p, ir::BlockId side) const {
    const std::vector<Decision>& decisions = walker.of_class->decisions;
    const Decision place = here(p);
    for (size_t i = walker.cursor; i < decisions.size(); ++i)
      if (decisions[i].path == place.path && decisions[i].function == place.function)
        return leads_to(code(p.frame), side, [&](ir::BlockId block) { return block == decisions[i].block; });
    return may_return(code(p.frame), side);
  }

  // "train.py:12": of the condition there.
  std::string place_of(const Position& p) const {
    const FunctionKey f = frames_[p.frame].summary->function;
    return std::string(in_.index().path(f)) + ":" +
           std::to_string(in_.index().function(f).blocks[p.block].terminator.range.line);
  }

  const ir::Function& code(FrameId frame) const { return in_.index().function(frames_[frame].summary->function); }

  Decision here(const Position& p) const {
    return {Decision::Kind::Side, frames_[p.frame].binding.path, frames_[p.frame].summary->function, p.block, 0};
  }

  // The next decision of its class that was taken at this place, if there is one. What lies before it was taken at
  // places to which this rank does not come.
  const Decision* next_decision(Walker& walker, const Position& p, Decision::Kind kind) {
    const std::vector<Decision>& decisions = walker.of_class->decisions;
    const Decision place = here(p);
    for (size_t i = walker.cursor; i < decisions.size(); ++i)
      if (decisions[i].kind == kind && decisions[i].at_same_place(place)) {
        walker.cursor = i + 1;
        return &decisions[i];
      }
    return nullptr;
  }

  void note_parting(Walker& walker, const Position& p) {
    const std::vector<Decision>& decisions = walker.of_class->decisions;
    const Decision place = here(p);
    for (size_t i = walker.cursor; i < decisions.size(); ++i) {
      if (decisions[i].kind == Decision::Kind::Divergence && decisions[i].at_same_place(place)) {
        walker.cursor = i + 1;
        walker.diverged = walker.steps.size();
        return;
      }
      if (decisions[i].at_same_place(place)) return;  // an earlier visit
    }
  }

  ReplayStep step_of(Walker& walker, const Position& p, const Step& step) {
    const Event& event = *step.event;
    const Model& model = *event.model;
    ReplayStep out;
    out.op = model.op;
    out.group = group_index(frames_.event_group(p.frame, event), listed_members(p, event));
    out.path = in_.index().path(frames_[p.frame].summary->function);
    out.range = step.range;
    out.creates_group = model.kind == ModelKind::GroupCreate;
    if (event.root.valid()) out.root = root_of(walker, p, event, out.group);
    if (const ValueId reduce = in_.argument(step.call, model.reduce_op); reduce.valid())
      out.reduce = last_name(on_rank(walker, p, reduce));
    if (model.same_shape && model.sizes == SizesGiven::ByCount)
      out.size = kind_of_count(walker, p, step, model.input.position);
    else if (model.same_shape)
      if (const ValueId sized = in_.argument(step.call, sized_argument(model)); sized.valid())
        out.size = kind_of_size(step, on_rank(walker, p, sized));
    if (event.ranks.valid()) give_members(walker, p, step, out);
    return out;
  }

  ValueId on_rank(Walker& walker, const Position& p, ValueId v) {
    return walker.scenario.residual(frames_.in_root(p.frame, v));
  }

  // The members of a group that is made of ranks that are written down; none where they are not, or not in the world.
  ListedRanks listed_members(const Position& p, const Event& event) {
    const ValueId group = frames_.in_root(p.frame, event.group);
    if (!group.valid() || values_[group].kind != ValueKind::Group || values_[group].child_count != 1) return {};
    const std::optional<ListedRanks> ranks = listed_ranks(in_, values_.child(group, 0));
    const bool in_world = ranks && !ranks->empty() && *ranks->begin() >= 0 && *ranks->rbegin() < world_.size();
    return in_world ? *ranks : ListedRanks();
  }

  // `listed`: the members, where they are known; ranks that are not among them are in the group of all others.
  uint32_t group_index(const AxisSet& axes, const ListedRanks& listed) {
    const auto known = std::find(groups_.begin(), groups_.end(), axes);
    if (known != groups_.end()) return static_cast<uint32_t>(known - groups_.begin());
    groups_.push_back(axes);
    ReplayGroup group{describe(axes, in_.index().names()), {}};
    for (uint32_t rank = 0; rank < world_.size(); ++rank)
      group.ranks_of.push_back(listed.empty() ? world_.members(rank, axes)
                                              : on_one_side(listed, listed.contains(rank)));
    replay_.groups.push_back(std::move(group));
    return static_cast<uint32_t>(groups_.size() - 1);
  }

  std::vector<uint32_t> on_one_side(const ListedRanks& listed, bool is_listed) const {
    std::vector<uint32_t> ranks;
    for (uint32_t rank = 0; rank < world_.size(); ++rank)
      if (listed.contains(rank) == is_listed) ranks.push_back(rank);
    return ranks;
  }

  // As a global rank that is a member; a number that is none stays as distinct from others as possible.
  int64_t root_of(Walker& walker, const Position& p, const Event& event, uint32_t group) {
    int64_t number = 0;
    if (!values_.integer_of(on_rank(walker, p, event.root), number)) return -1;
    const std::vector<uint32_t>& members = replay_.groups[group].ranks_of[walker.rank];
    if (number < 0) return -1;
    const bool is_member = std::find(members.begin(), members.end(), static_cast<uint32_t>(number)) != members.end();
    if (is_member && !event.model->root_is_group_rank) return number;
    return members[static_cast<size_t>(number) % members.size()];
  }

  std::string last_name(ValueId v) const {
    if (values_[v].kind != ValueKind::External) return {};
    const std::string_view name = in_.index().names().text(Symbol{values_[v].a});
    return std::string(name.substr(name.rfind('.') + 1));
  }

  // Which of the sizes met at this operation it is; 0 is the first, and what is not known to differ from it.
  uint32_t kind_of_size(const Step& step, ValueId size) {
    std::vector<ValueId>& met = sizes_[step.site.index];
    for (size_t i = 0; i < met.size(); ++i)
      if (!size_difference(in_, met[i], size)) return static_cast<uint32_t>(i);
    met.push_back(size);
    return static_cast<uint32_t>(met.size() - 1);
  }

  // The same in C's way: a count, followed by a type.
  uint32_t kind_of_count(Walker& walker, const Position& p, const Step& step, int position) {
    const CompactVector<ValueId>& given = step.call.positional;
    if (position < 0 || static_cast<size_t>(position) + 1 >= given.size()) return 0;
    const auto at = given.begin() + position;
    const ValueId size = values_.node(ValueKind::Tuple, {{on_rank(walker, p, at[0]), on_rank(walker, p, at[1])}});
    std::vector<ValueId>& met = sizes_[step.site.index];
    const auto differs = [&](ValueId other) {
      const ValueId type = values_.child(size, 1), other_type = values_.child(other, 1);
      const bool of_constants =
          values_[type].kind == ValueKind::External && values_[other_type].kind == ValueKind::External;
      return (of_constants && type != other_type) ||
             count_difference(in_, values_.child(size, 0), values_.child(other, 0));
    };
    const auto place = std::ranges::find_if_not(met, differs);
    if (place == met.end()) return met.push_back(size), static_cast<uint32_t>(met.size() - 1);
    return static_cast<uint32_t>(place - met.begin());
  }

  // The list of ranks where it is known, else which of the lists met at this operation it is.
  void give_members(Walker& walker, const Position& p, const Step& step, ReplayStep& out) {
    const ValueId given = on_rank(walker, p, step.event->ranks);
    bool known = values_[given].kind == ValueKind::Tuple && values_[given].child_count > 0;
    for (ValueId child : values_.children(given)) {
      int64_t number = 0;
      known = known && values_.integer_of(child, number) && number >= 0 && number < world_.size();
      if (known) out.members.push_back(static_cast<int>(number));
    }
    if (known) return;
    out.members.clear();
    if (!values_.diverges(frames_.in_root(p.frame, step.event->ranks))) return;
    std::vector<ValueId>& met = lists_[step.site.index];
    const auto place = std::find(met.begin(), met.end(), given);
    out.size = static_cast<uint32_t>(place - met.begin());
    if (place == met.end()) met.push_back(given);
  }

  const Query& in_;
  ValueStore& values_;
  const World& world_;
  const DecisionTrace& trace_;
  Frames frames_;
  Execution execution_;
  PathCondition made_;  // for all ranks
  Replay replay_;
  std::vector<AxisSet> groups_;
  std::map<uint32_t, std::vector<ValueId>> sizes_, lists_;  // by site
  std::set<std::string> guessed_first_, guessed_second_;    // where ranks of each class take its side unasked
};

}  // namespace

Replay execute_ranks(const Query& query, const World& world, const DecisionTrace& trace) {
  if (const Summary* root = query.summary(trace.root); !root || root->blocks.empty()) return {};
  return PerRankExecutor(query, world, trace).run();
}

Replay replay_at(const Query& query, const DecisionTrace& trace, const World& world, FunctionKey function,
                 const SourceRange& waits) {
  Replay replay = execute_ranks(query, world, trace);
  replay.path = query.index().path(function);
  replay.waits = waits;
  return replay;
}

}  // namespace ranklint
