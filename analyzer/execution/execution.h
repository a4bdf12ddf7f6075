// What a rank does next: how functions run, in small steps over their summaries.
//
// A position is before a step of a block, or after the last one. `next` says what happens there, and where the rank
// goes if it has no choice. Which function a call enters, which side of a branch is taken and what happens to a rank
// that leaves is up to the walk: two ranks side by side, all ranks one after the other, or ranks that send each other
// messages. Everything else is decided here, in the same way for all walks:
//
// - An exception goes to the handler around it, past the question whether that catches it where it does so by name,
//   or else to the nearest handler around one of the calls above.
// - A generator-based context manager is two calls of one function: the first goes up to the yield, the second runs
//   the same way silently and counts from there on.
// - A branch on which nothing depends is passed over, to where its sides join. Where they do not, all of them raise,
//   never go on, or return.
// - A `for` over what surely has elements goes round once without being asked, and where the number of its rounds is
//   known and small, they are counted.
#pragma once

#include <span>

#include "analyzer/execution/rank_state.h"

namespace ranklint {

// What comes next where a rank stands.
struct Transition {
  enum class Kind : uint8_t {
    Passes,        // past `step`, which does not count
    Communicates,  // in `step`, on a group that counts
    SendsMessage,  // in `step`, or receives one, describes one or waits for one
    Calls,         // in `step`, one of `targets` that its guard lets in (Frames::enter), or none of them; or an event
                   // that has a guard
    HandsOver,     // at a yield: back to the caller, or on with what counts from here
    TearsDown,     // ends its communication in `step`
    Leaves,        // ends its process in `step`
    Jumps,         // by a terminator that decides nothing
    Asks,          // goes on where `condition` leads it; `to` is where it stands
    Skips,         // past a branch on which nothing depends
    Returns,       // from the function
    Raises,        // to a handler, or out of the root
    NeverReturns,  // from what it called last
  };
  Kind kind = Kind::Passes;
  Position to;  // at the end: out of the root
  const Step* step = nullptr;
  std::span<const Target> targets = {};
  ValueId condition = {};  // Asks, Skips: in the root's terms
  bool is_loop = false;    // Asks: whether a loop goes on
  bool iterates = false;   // Asks: whether there is another element to go over
  SourceRange range = {};  // of the step or the terminator, or of the raise that all ways from here lead to
};

// Which branches are asked; others are passed over.
enum class Ask : uint8_t {
  WhereStepsCount,   // between whose sides and their join there is a step that counts
  WhereExitsCount,   // the same, or a way out of the function
  WhereRanksDiffer,  // the former where ranks decide alike, the latter where they may not
  Always,
};

class Execution {
 public:
  Execution(const Query& query, Frames& frames) : in_(query), frames_(frames) {}

  // Not to be asked at the end.
  Transition next(const Position& at, Ask ask);
  // Where a side of the terminator leads that a rank stands at.
  Position side(const Position& at, uint32_t successor) const;
  // The same for a rank that counts its rounds, and is not asked whether a loop has a first one that surely has.
  // `more`: what is asked at the head of a loop, as far as it is open on this rank; invalid elsewhere. True: that was
  // one of the rounds that are counted.
  bool take(RankState& rank, uint32_t successor, ValueId more);
  // Whether one that stands at the head of a loop goes round once more. Unknown: its rounds are not counted.
  ValueStore::Truth another_round(const RankState& rank, ValueId more) const;
  // Where an exception goes that is raised there. At the end: out of the root.
  Position raised_from(Position at) const;

 private:
  bool raises_widest(const Position& at) const;
  ir::BlockId handler_for(const Position& at, bool is_widest) const;
  Transition of_step(const Position& at, const Step& step);
  Transition of_end(const Position& at, Ask ask);
  Transition of_question(const Position& at, const ir::Terminator& end, Ask ask);
  Transition over(const Position& at) const;
  Position come_to(const Position& from, ir::BlockId block) const;
  ir::BlockId past_sure_entry(const Position& from, ir::BlockId to);
  const ir::Function& code(FrameId frame) const { return in_.index().function(frames_[frame].summary->function); }

  const Query& in_;
  Frames& frames_;
};

}  // namespace ranklint
