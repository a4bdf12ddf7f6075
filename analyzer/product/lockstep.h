// Two ranks side by side through one function, as far as one group's sequence of communication is concerned.
//
// The walk is over pairs of positions. While both are at the same place they move together. A condition that the
// scenario decides differently makes them diverge (the guard), and from then on each moves alone up to its next
// communication on the group. Equal communications are crossed together; where both reach one place again the
// divergence is forgotten; where they do not agree there is a mismatch. Conditions that no scenario decides are
// explored both ways, equally for both ranks, and where the two ways meet again they are one. A call is entered only
// when one of the two is not at the same call, or when ranks diverge in the callee itself. Pairs are visited once, so
// loops end. Where one rank waits at a collective and the other loops forever (`while True:`), no pair shows it: it is
// what is left when the walk is over.
#pragma once

#include <functional>
#include <set>
#include <span>
#include <tuple>
#include <unordered_map>

#include "analyzer/base/mixed_hash.h"
#include "analyzer/execution/decision_trace.h"
#include "analyzer/execution/execution.h"
#include "analyzer/execution/mismatch.h"
#include "analyzer/execution/path_aliases.h"
#include "analyzer/execution/walk_event.h"
#include "analyzer/execution/walk_state.h"
#include "analyzer/variance/rank_condition.h"
#include "analyzer/variance/term_literal.h"

namespace ranklint {

// Where ranks diverge: function, block, step.
using DivergencePlace = std::tuple<uint32_t, uint32_t, uint32_t>;

// Hashes where ranks stand, and numbers that distinguish their states there.
struct HashOfPlaces {
  template <typename... Parts>
  size_t operator()(const std::tuple<Parts...>& parts) const {
    uint64_t hash = 0;
    std::apply([&](const Parts&... part) { ((hash = mixed_hash(hash, number_of(part))), ...); }, parts);
    return hash;
  }

 private:
  static uint64_t number_of(uint64_t number) { return number; }
  static uint64_t number_of(const Position& p) {
    return (uint64_t{p.frame.index} << 36) ^ (uint64_t{p.block.index} << 16) ^ (uint64_t{p.step} << 2) ^
           (uint64_t{p.admitted} << 15) ^ (uint64_t{p.silent} << 1) ^ uint64_t { p.entering };
  }
};

// One rank after a failure, another without it.
struct FailedRank {
  Position at, others;        // where each goes on, in the root; at the end: it has left
  Position diverge_at;        // where they diverge
  Two<ir::BlockId> side;      // the first block that each entered then, where there is one
  SourceRange range;          // what has failed
  ValueId failure;            // a term for it, which this rank alone sees; or the condition on which the two diverge
  std::vector<ValueId> came;  // terms that say whether a handler was taken: yes for the one that has failed
};

struct LockstepResult {
  struct Found {
    Mismatch mismatch;
    bool at_end = false;  // the second class reached the end of the root: callers may hold the match
    Who waits = Who::A;
    DivergencePlace guard;
    DecisionTrace trace;
  };
  std::vector<Found> found;
  std::vector<DivergencePlace> diverged;      // where they diverged and some way was followed to its end
  std::vector<DivergencePlace> passed_apart;  // where they would have diverged had they come there together
  bool exhausted = false;                     // the budget ran out
  size_t states = 0;                          // pairs of positions visited
};

class Lockstep {
 public:
  // `by_local`: both ranks are the same, and differ in what they see locally.
  // `opens`: whether ranks diverge in a function in a way that its caller has to resolve.
  Lockstep(const Query& query, Frames& frames, Scenario& a, Scenario& b, bool by_local,
           const std::function<bool(FunctionKey)>& opens)
      : in_(query),
        frames_(frames),
        execution_(query, frames),
        scenarios_{&a, &b},
        by_local_(by_local),
        opens_(opens) {}

  // From now on the walk notes what it does.
  void trace(std::vector<WalkEvent>& events) { events_ = &events; }

  // Gives up, and says so, after `most_states` pairs of positions.
  LockstepResult run(size_t most_states);
  // The same where only the first of the two runs the function, under a guard that stands elsewhere.
  LockstepResult run_under(ValueId guard, const SourceRange& where, size_t most_states);
  // The same where the first has failed in the root function, which its handler has taken, or has left over it, and the
  // second has not. What the ranks see alone otherwise does not part them, and one that raises after it ends the job.
  LockstepResult run_after(const FailedRank& failed, size_t most_states);

 private:
  using enum Who;
  // Ways of choosing with which one pair of positions is visited. More change the witness, hardly ever the judgement.
  static constexpr uint32_t kMostVariants = 8;
  using Note = WalkNote;
  using State = WalkState;
  struct Trail {
    TrailId before;
    Who who;
    WalkNote note;
  };
  static constexpr std::optional<Who> kBoth = std::nullopt;
  // The decisions taken since the start, last first; see decision_trace.h.
  struct TakenDecision {
    DecisionId before;
    std::optional<Who> who;  // whose it is, or kBoth
    Decision decision;
  };
  // In its place where two ways have joined: `before` is the one on which a choice holds.
  struct JoinedWays {
    ValueId choice;
    DecisionId other;
  };
  // A place to which both ranks come together, on one way or on several.
  struct Meeting {
    struct Choices {
      PathCondition shared, loops;
    };
    std::vector<Choices> followed;  // of the ways that were followed on from there
    std::vector<State> waiting;
  };
  struct NextMeeting {
    size_t followed;  // ways from there when this one came
    Position at;
    Meeting* meeting;
  };
  // A branch on a condition that differs between ranks, as one of them took it.
  struct Pass {
    PassId before;
    Who who;
    Position at;
    ValueId condition;  // as the root sees it
    SourceRange range;
    bool yes = true;
  };
  // Both stand at one branch. What it asks of each on this way, and the answers as far as they are known.
  struct Question {
    const State& state;
    ValueId condition;  // as the root sees it
    SourceRange range;
    bool loop;
    Two<ValueId> asked = {};
    Two<ValueStore::Truth> answer = {ValueStore::Truth::Unknown, ValueStore::Truth::Unknown};
  };
  // One of two that are apart stands at a branch that is not decided.
  struct Asked {
    ValueId term;
    bool loop = false;
    ValueStore::Truth first_round =
        ValueStore::Truth::Unknown;  // of a loop that it comes to: whether it goes round at all
  };
  // As in Divergence.
  struct Apart {
    bool local = false;
    bool one_sided = false;
  };
  // Met: at the other's place. Lost: after what never returns. Stuck: went on too long without a stop.
  enum class Stop { Event, Call, Choice, End, Met, Lost, Stuck };

  LockstepResult walk(size_t most_states);
  void compare_positions(size_t most_states);
  void push(State state);
  static State taken_from(std::deque<State>& states);
  void follow_apart(State state);
  // lockstep_meetings.cpp
  bool are_together(const State& state) const;
  void come_together(State state);
  bool join(State& state, State& waiting);
  std::optional<State> next_together();
  void add_next(const Position& at, Meeting& met);
  bool comes_later(const NextMeeting& a, const NextMeeting& b) const;
  // lockstep_converged.cpp
  void step_converged(State state);
  bool go_on_converged(State& state, const Position& to);
  bool call_converged(State& state, const Transition& call);
  bool call_diverged(const State& state, const Transition& call, const Target& target, Who enters);
  bool may_diverge_inside(const Position& call, const Step& step, const Target& target);
  void go_to_own(State& state, Who who, const Transition& call);
  void note_entered(State& state, Who who, const SourceRange& call, const Target& target, const Position& inside);
  bool is_given_group(const Summary& s, const Binding& binding) const;
  void compare_arguments(const State& state);
  bool differ_in_members_already() const;
  // lockstep_diverged.cpp
  void step_diverged(State state);
  Stop advance(State& state, Who who);
  std::optional<Stop> move_alone(State& state, Who who, const Transition& move);
  std::optional<Stop> answer_alone(State& state, Who who, const Transition& question);
  Stop tear_down(State& state, Who who) const;
  void enter_call(const State& state, Who who);
  bool same_call(const State& state);
  void note_passed(const Position& branch, Who who, bool yes);
  Asked asked(const State& state, Who who) const;
  ValueStore::Truth first_round(const State& state, Who who, ValueId more) const;
  bool communicates_in_loop(const Position& head) const;
  bool lies_inside(const Position& inner, const Position& outer) const;
  void choose_for_one(const State& state, Who who, const Asked& q);
  void choose_for_two(const State& state, const Asked& a, const Asked& b);
  void choose_together(const State& state, const Asked& a, const Asked& b);
  void learn(State& state, Who who, const Asked& q, bool yes) const;
  void choose_alone(State& state, Who who, ValueId term, bool yes) const;
  void take(State& state, Who who, bool yes);
  void compare_events(State state);
  Who waits_inside(const State& state) const;
  void cross(State state, PathStep::Kind kind);
  // lockstep_branch.cpp
  void branch_converged(State state, const Transition& question, int choices = 0);
  ValueId choice_in(const State& state, ValueId asked) const;
  bool turn_alike(const Two<ValueId>& more) const;
  // Answers by how many rounds each rank has made and how many there are. Where the ranks go over different lists, an
  // empty one has none.
  void answer_by_count(const State& state, Question& q) const;
  void go_together(State next, const Question& q, bool yes, ValueId learned);
  void go_apart(const Question& q, bool a_yes, bool b_yes, Apart how);
  void go_apart(const Question& q, bool a_yes, bool b_yes) { go_apart(q, a_yes, b_yes, Apart{}); }
  void answer_what_is_not_exact(const Question& q);
  void answer_for_both(const Question& q);
  void answer_for_one(const Question& q);
  bool enter_loop_together(const State& state, ValueId more);

  void go(State& state, Who who, uint32_t successor);
  // The same for one that is apart, where what it decides says which ranks it stands for.
  void go_alone(State& state, Who who, uint32_t successor);
  bool goes_round(const State& state, const Position& from, const Position& to) const;
  void forget_divergence(State& state);
  // lockstep_leaves.cpp
  void note_loop(State& state, Who who, uint32_t successor);
  PathStep::Outcome leaves_round_of_divergence(const State& state, const Position& jump, ir::BlockId target) const;
  const Note* leaving_jump(const Encounter& e) const;
  PathStep::Outcome way_out(const State& state, Who who) const;
  bool is_same_place(State& state) const;
  void leave(State& state, Who who, Exit how, SourceRange range, const Position& to) const;
  void note(State& state, Who who, PathStep::Kind kind, FrameId frame, SourceRange range, std::string what,
            std::string group = {}, FrameId entered = {});
  // At a branch, or where it leaves.
  void note(State& state, Who who, PathStep::Kind kind, FrameId frame, SourceRange range, PathStep::Outcome outcome);
  void note_decision(State& state, std::optional<Who> who, Decision::Kind kind, const Position& at, uint32_t chosen);
  DecisionTrace trace_of(const State& state, Who waits) const;
  void diverge(State& state, SourceRange range, ValueId condition, ValueId written, bool loop, bool local,
               bool one_sided);
  void hand_over(Mismatch& m, FrameId frame, const std::function<bool(ValueId)>& is_own) const;
  bool hand_over_callee(Mismatch& m, FrameId guarded, FrameId waiting) const;
  std::optional<uint32_t> filling_side(const Position& branch);
  // Whether the operation stands on another way of the function, or of one that has called it.
  bool stands_elsewhere_too(const Position& p, std::string_view op) const;
  bool left_by_failure(const State& state, Who who) const;
  bool met(const State& state) const;
  void meet(State& state);
  // A path from the divergence was followed to its end; `at`: only for the rank that waits there.
  void conclude(const State& state, Position at = {});
  // The ranks that diverged there are at one place again, at their end, or where nothing more is followed.
  void settle(const State& state);
  DivergencePlace place_of(const Position& at) const;
  void forget_endless();
  void report_endless();
  bool may_loop_forever(const State& state, const Position& p) const;
  // `endless`: the other loops forever.
  void report(const State& state, Who waits, bool endless = false);
  std::optional<SourceRange> jump_of(FunctionKey function, ir::BlockId side) const;
  void note_early_leave(Mismatch& m, const Encounter& encounter, const SourceRange& own) const;
  bool is_inside_other_arm(const Encounter& encounter) const;
  Assurance assurance_of(const Encounter& e, const Mismatch& m, const SourceRange& own);
  bool was_not_computed(ValueId condition) const;
  void assume_of_divergence(const Mismatch& m, const Divergence& divergence, Assurance& sure) const;
  void assume_choices(const PathCondition& shared, Assurance& sure) const;
  bool goes_on_to(State state, Who who, const AxisSet& group);
  void report_crossing(const State& state);
  std::string group_name(FrameId frame, const Step& step);
  Arrival arrival(const State& state, Who who, bool at_event);
  std::pair<Arrival, Arrival> arrivals(const State& state, Who first, bool second_at_event);
  // lockstep_feasible.cpp
  bool is_feasible(const Encounter& e) const;
  bool tells_of_failure(ValueId term) const;
  void add_own_parts(const std::function<uint8_t(Who)>& viewer, std::vector<TermLiteral>& taken) const;
  std::vector<FrameId> entered_by(const State& state, Who who) const;
  bool are_alike(FrameId of_a, FrameId of_b) const;
  PathAliases alike_calls(const State& state) const;
  // lockstep_ranks.cpp
  void note_pass(State& state, Who who, ValueId condition, bool yes);
  bool still_holds(const Position& at, const Pass& pass) const;
  bool only_one_rank_comes(const State& state, const Position& at) const;
  std::vector<Pass> decided_by(const State& state, Who who) const;
  std::optional<RanksWhere> ranks_of(const State& state, Who who) const;
  bool is_among(const RanksWhere& ranks, Who who) const;
  bool are_all_others(const State& state, const RanksWhere& a, const RanksWhere& b) const;
  std::string conditions_of(const State& state, Who who) const;
  RankName name_from_code(const State& state, Who who) const;
  std::optional<RankName> name_in_group(const RanksWhere& ranks) const;
  void name_classes(const State& state, Arrival& a, Arrival& b) const;

  const Step& step_at(const Position& p) const { return frames_[p.frame].summary->blocks[p.block.index].steps[p.step]; }
  const ir::Function& code(FrameId frame) const { return in_.index().function(frames_[frame].summary->function); }
  void trace(WalkEvent::Kind kind, const State& s) const {
    if (events_) events_->push_back({kind, s[A].at, s[B].at});
  }
  Scenario& scenario(Who who) const { return *scenarios_[who]; }
  ValueStore::Truth decide(const State& s, Who who, ValueId term) const;

  const Query& in_;
  Frames& frames_;
  Execution execution_;
  Two<Scenario*> scenarios_;
  bool by_local_;
  bool after_failure_ = false;
  std::vector<ValueId> came_;  // terms that say whether the handler of the failure was taken
  const std::function<bool(FunctionKey)>& opens_;
  std::deque<State> apart_, apart_later_;  // still to be followed
  std::map<Position, uint32_t> apart_of_;  // by divergence, how many there were
  std::unordered_map<std::tuple<Position, uint64_t>, Meeting, HashOfPlaces> meetings_;  // by place and rounds
  std::vector<NextMeeting> next_meetings_;                                              // a heap, the next one first
  size_t followed_together_ = 0;
  StableVector<TrailId, Trail> trails_;
  StableVector<DecisionId, TakenDecision> decisions_;
  std::map<DecisionId, JoinedWays> joined_;
  StableVector<PassId, Pass> passes_;
  std::unordered_map<std::tuple<Position, Position, uint64_t>, uint32_t, HashOfPlaces> variants_;
  std::map<Position, uint32_t> found_at_;
  std::map<DivergencePlace, unsigned>
      passed_;  // by one that was apart: a bit for each of the two and each of its sides
  std::map<std::pair<uint32_t, uint32_t>, std::optional<uint32_t>> filling_;
  // By divergence and place: one waits there while the other goes on.
  std::map<std::pair<Position, Position>, std::pair<State, Who>> waiting_;
  std::set<std::pair<Position, Position>> concluded_;
  std::set<DivergencePlace> settled_;
  std::set<DivergencePlace> ahead_;  // after which one rank has come to the other's place a round later or earlier
  std::unordered_map<std::tuple<Position, Position, uint64_t, uint64_t, uint64_t>, Position, HashOfPlaces>
      visited_;  // and the divergence of the first visit
  LockstepResult result_;
  std::vector<WalkEvent>* events_ = nullptr;
};

}  // namespace ranklint
