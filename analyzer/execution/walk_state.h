// Where two ranks are on their walk side by side, and what they did to get there; see lockstep.h.
#pragma once

#include <optional>
#include <string>

#include "analyzer/execution/mismatch.h"
#include "analyzer/execution/rank_state.h"

namespace ranklint {

struct WalkNote {
  PathStep::Kind kind;
  FrameId frame;
  SourceRange range;
  PathStep::Outcome outcome = PathStep::Outcome::None;  // of a branch or an exit
  std::string what = {};
  std::string group = {};  // of a collective
  FrameId entered = {};    // of a call
};

// Lists that states share the beginnings of, last first: what was noted since the ranks diverged; the decisions taken
// since the start; the branches passed since then that decide differently for ranks.
using TrailId = Id<struct TrailTag>;
using DecisionId = Id<struct DecisionTag>;
using PassId = Id<struct PassTag>;

struct Divergence {
  Position at;
  SourceRange range;
  ValueId condition;  // as the root sees it
  ValueId written;    // what decides, in the function's own terms: its branch's condition, or its call's callee
  PassId passed_before;
  bool loop = false;
  bool local = false;
  Who took_first = Who::A;       // the first successor; the other one took another
  bool one_sided = false;        // a constant on one side, a choice on the other
  Two<ir::BlockId> side;         // the first block that each rank enters after the branch
  PathCondition taken;           // when they diverged
  bool decided = false;          // by the ranks alone
  Two<uint32_t> turns = {0, 0};  // how often each has gone round loops about it
  friend bool operator==(const Divergence& x, const Divergence& y) { return x.at == y.at; }
};

struct WalkState {
  Two<RankState> ranks;
  PathCondition shared;
  PathCondition loops;  // whether there is a first round of those that were entered
  std::optional<Divergence> divergence;
  TrailId trail;
  PassId passes;  // since the start, last first; those of divergences that are forgotten are, too
  DecisionId decisions;
  PathCondition chosen_when_met;  // what was chosen when they first met since the divergence

  RankState& operator[](Who who) { return ranks[who]; }
  const RankState& operator[](Who who) const { return ranks[who]; }
};

// One class waits in a collective, the other is elsewhere.
struct Encounter {
  const WalkState& state;
  Who first;                // waits
  bool endless;             // the other loops forever
  bool met;                 // they have been in a collective together since they diverged
  Position waiting, other;  // other: at its end where it has ended or goes round
  bool other_left() const { return state[ranklint::other(first)].has_left(); }
  bool other_raised() const { return state[ranklint::other(first)].exit == Exit::Raised; }
};

// Whether a rank that waits does so while it makes something that is kept.
bool makes_what_is_kept(const Frames& frames, const Position& filling, const Position& waiting);

}  // namespace ranklint
