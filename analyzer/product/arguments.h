// Two ranks that meet in one operation: whether they mean the same one.
//
// Members of a group are matched by position alone. That the root, the reduction and the sizes agree is left to the
// program, and no library compares them all.
#pragma once

#include <optional>

#include "analyzer/execution/frames.h"
#include "analyzer/execution/mismatch.h"

namespace ranklint {

// What one rank gives for an operation, in the terms of the walk's root function.
struct Issue {
  Scenario& scenario;
  FrameId frame;
  const Step& step;

  CodePlace place(const Frames& frames) const { return {frames[frame].summary->function, step.range}; }
};

struct Disagreement {
  Mismatch::Cause cause = Mismatch::Cause::RootDiffers;
  std::string first, second;  // the argument on either rank, as one would write it
  ValueId first_value;        // what it follows from, in the terms of the issue's own function
  Assurance certainty = Confidence::Certain;
};

// The first argument on which two issues of one operation disagree for sure.
std::optional<Disagreement> disagreement(const Query& query, Frames& frames, const Issue& a, const Issue& b);

}  // namespace ranklint
