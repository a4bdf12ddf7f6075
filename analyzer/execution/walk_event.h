// The events of a product walk, for tests and other observers that need more than its mismatches.
#pragma once

#include "analyzer/execution/frames.h"

namespace ranklint {

struct WalkEvent {
  enum class Kind : uint8_t {
    Diverge,   // both stand at `a`, which equals `b`, and go on to different places
    Issue,     // each issues the collective where it stands
    Call,      // each makes the call where it stands, which need not be entered
    Converge,  // after having diverged both stand at `a`, which equals `b`
  };
  Kind kind = Kind::Diverge;
  Position a, b;
};

}  // namespace ranklint
