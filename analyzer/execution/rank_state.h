// One rank on its way: where it stands, what it alone has decided, and how it left. What moves it is execution.h.
#pragma once

#include "analyzer/execution/frames.h"
#include "analyzer/execution/rounds.h"

namespace ranklint {

enum class Exit : uint8_t {
  None,      // it goes on, or has come to the end of the root
  Raised,    // an exception left the root
  Left,      // it ended its process
  Done,      // likewise, and said that nothing went wrong
  ToreDown,  // it ended its communication: destroy_process_group
};

struct RankState {
  Position at;
  PathCondition own = {};  // decisions that it took alone
  Rounds rounds = {};      // of the loops around it that turn a known number of times
  Exit exit = Exit::None;
  SourceRange exit_range = {};  // the last way out of a function that it took since the divergence
  bool caught = false;          // it raised into a handler since the divergence
  bool raised_deep = false;     // it raised, and not in the function of the divergence
  Position fills = {};          // where it began to make something that is kept

  bool has_left() const { return exit == Exit::Raised || exit == Exit::Left || exit == Exit::Done; }
};

// Two ranks that are walked side by side, and what there is one of for each.
enum class Who : uint8_t { A, B };

constexpr Who other(Who who) { return who == Who::A ? Who::B : Who::A; }

template <typename T>
struct Two {
  T a, b;
  T& operator[](Who who) { return who == Who::A ? a : b; }
  const T& operator[](Who who) const { return who == Who::A ? a : b; }
};

}  // namespace ranklint
