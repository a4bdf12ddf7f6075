// How often a rank has been round the loops that turn a fixed number of times.
//
// `for _ in range(2)` against two calls, or one rank a round ahead of the others: whether ranks agree then depends on
// the count. Where a loop turns a small number of times that is known, each rank counts its own rounds; of other loops
// the comparison knows only that they go on or end. A count is kept while its rank is inside of the loop, so two ranks
// at one place with the same counts are at one place indeed, and there are no more counts than loops around a position.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "analyzer/execution/frames.h"

namespace ranklint {

// How often a loop over a range of constants turns; nothing for other terms.
std::optional<int64_t> constant_turns(const ValueStore& values, const ProjectIndex& index, ValueId more);

// Whether the list of such a loop is written down and empty. A list that is empty on some ranks only is not filled by
// code that is not seen.
bool goes_over_nothing(const ValueStore& values, const ProjectIndex& index, ValueId more);

class Rounds {
 public:
  static constexpr int64_t kMostCounted = 4;  // loops that turn more often are not counted

  void begin(FrameId frame, ir::BlockId head, int64_t rounds);
  // Nothing: it does not count this loop.
  std::optional<int64_t> begun(FrameId frame, ir::BlockId head) const;
  // Forgets the loops that the position is not in.
  void keep_around(const Frames& frames, Position at);
  uint64_t hash() const;
  bool empty() const { return of_.empty(); }
  friend bool operator==(const Rounds&, const Rounds&) = default;

 private:
  struct OfLoop {
    FrameId frame;
    ir::BlockId head;
    int64_t begun = 0;
    friend bool operator==(const OfLoop&, const OfLoop&) = default;
  };
  std::vector<OfLoop> of_;  // in the order of frames and heads
};

}  // namespace ranklint
