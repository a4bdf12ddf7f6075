// What happens when one rank goes on after a failure that a handler of the function takes, or has left alone, and the
// others after what has not failed for them.
#pragma once

#include <optional>
#include <string>

#include "analyzer/questions/code.h"
#include "analyzer/summary/query.h"

namespace ranklint {

struct HandledFailure {
  ProgramPoint failed;     // the instruction, or what a branch asks
  ir::BlockId handler;     // where the rank that has failed goes on
  ir::BlockId takes_over;  // the body of the handler that takes the failure in the end
  bool within = false;     // the call fails in its midst, and communicates: the others are about to make all of it
};

// One rank that has left over a failure, on one side of a branch that tells ranks apart.
struct LoneExit {
  ir::BlockId branch;
  bool holds = true;  // what it asks, for the rank that has left
};

struct LeftAlone {
  bool failed_waits = false;  // the rank that has failed waits, and not the others
  std::string op;             // in which of the two wait
  AxisSet group;
  SourceRange place;  // of the collective, or of the call of the function that leads to it
  // The branch further on that parts them by what the handler has set, and whether its condition holds for the one that
  // has failed. Not known: they part at the failure itself.
  SourceRange asked;
  bool holds = false;
  Assurance certainty;
};

// The first collective that one of them surely waits in for the other: where both wait, in two, the others'. Nothing
// where they do the same, or the job ends.
std::optional<LeftAlone> left_alone_after(const Query& query, const Summary& function, const HandledFailure& failure);
// The same for the others, on a group whose ranks the condition tells apart.
std::optional<LeftAlone> left_alone_after(const Query& query, const Summary& function, const LoneExit& exit);

}  // namespace ranklint
