// Where two ranks are on their walk side by side, and what they did to get there; see lockstep.h.
#pragma once

#include <optional>
#include <string>

#include "analyzer/execution/frames.h"
#include "analyzer/execution/mismatch.h"
#include "analyzer/execution/rounds.h"

namespace ranklint {

struct WalkNote {
  PathStep::Kind kind;
  FrameId frame;
  SourceRange range;
  std::string what;
  std::string group;  // of a collective
};

// Lists that states share the beginnings of, last first: what was noted since the ranks parted; the turns taken since
// the start; the branches passed since then that decide differently for ranks.
using TrailId = Id<struct TrailTag>;
using TurnId = Id<struct TurnTag>;
using PassId = Id<struct PassTag>;

struct Parting {
  Position at;
  SourceRange range;
  ValueId condition;  // as the root sees it
  ValueId written;    // what decides, as the function itself sees it: what its branch asks, or whom its call calls
  PassId passed_before;
  bool loop = false;
  bool local = false;
  bool a_first = true;  // a took the first successor
  bool shaky = false;   // a constant on one side, a choice on the other
  ir::BlockId side_a, side_b;
  Choices taken;         // when they parted
  bool decided = false;  // by the ranks alone
  friend bool operator==(const Parting& x, const Parting& y) { return x.at == y.at; }
};

struct WalkState {
  Position a, b;
  Choices shared, own_a, own_b;
  Choices loops;  // whether there is a first round of those that were entered
  Rounds rounds_a, rounds_b;
  std::optional<Parting> parting;
  TrailId trail;
  PassId passes;  // since the start, last first; those of partings that are forgotten are, too
  TurnId turns;
  bool a_left = false, b_left = false;      // by raise or exit
  bool a_caught = false, b_caught = false;  // raised into a handler since they parted
  bool a_gone = false, b_gone = false;      // ended its communication: destroy_process_group
  bool a_raised = false, b_raised = false;
  bool a_raised_deep = false, b_raised_deep = false;  // not in the function where they parted
  Position a_fills, b_fills;                          // where it began to make something that is kept; see lazy.h
  Choices chosen_when_met;                            // what was chosen when they first met since the parting
  SourceRange a_exit, b_exit;                         // the last way out of the function taken since the parting
};

// One class waits in a collective, the other is elsewhere.
struct Encounter {
  const WalkState& state;
  bool first_is_a;          // a is who waits
  bool endless;             // the other goes round for ever
  bool met;                 // they have been in a collective together since they parted
  Position waiting, other;  // other: at its end where it has ended or goes round
  bool other_left() const { return first_is_a ? state.b_left : state.a_left; }
  bool other_raised() const { return first_is_a ? state.b_raised : state.a_raised; }
};

// Whether a rank that waits does so while it makes something that is kept.
bool makes_what_is_kept(const Frames& frames, const Position& filling, const Position& waiting);

}  // namespace ranklint
