// How one call in a rank's flight record stands to the other members' calls, in the words of PyTorch's analyser of such
// records (torch/distributed/flight_recorder/components/types.py, MatchState). That one infers it from the dumps of all
// ranks; here whatever a collective asked for was compared before it moved anything, so it is known.
#pragma once

#include <cstdint>
#include <string_view>

#include "runtime/group/recorder.h"

namespace ranklint::runtime {

enum class MatchState : uint8_t {
  FullyMatched,            // completed: all members asked for the same
  CollectiveTypeMismatch,  // members called different operations
  SizeOrSyntaxMismatch,  // they differ in shapes, counts, splits, root, reduction, name, or in the ranks of a new group
  CollectiveStateMismatch,  // others have completed it, this rank has not
  CollectiveDtypeMismatch,  // they differ in the element type
  Undecided,                // some member has not come; or a send, which may have run ahead of its receive
};

std::string_view name_of(MatchState state);  // "FULLY_MATCHED", ...

MatchState match_state(const Recorder::Record& record, int rank, const Verdict& verdict,
                       const Recorder::CompletedElsewhere& completed_elsewhere);

}  // namespace ranklint::runtime
