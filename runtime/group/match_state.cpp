#include "runtime/group/match_state.h"

#include <algorithm>

namespace ranklint::runtime {

static MatchState state_of_difference(std::string_view about) {
  if (about == "operation") return MatchState::CollectiveTypeMismatch;
  if (about == "element type") return MatchState::CollectiveDtypeMismatch;
  return MatchState::SizeOrSyntaxMismatch;
}

static bool is_disputed(const Recorder::Record& record, int rank, const Disagreement& dispute) {
  return dispute.group == record.group && dispute.of_messages == is_message(record.op) &&
         std::any_of(dispute.calls.begin(), dispute.calls.end(), [&](const Disagreement::Call& call) {
           return call.rank == rank && call.sequence == record.sequence;
         });
}

std::string_view name_of(MatchState state) {
  switch (state) {
    case MatchState::FullyMatched: return "FULLY_MATCHED";
    case MatchState::CollectiveTypeMismatch: return "COLLECTIVE_TYPE_MISMATCH";
    case MatchState::SizeOrSyntaxMismatch: return "SIZE_OR_SYNTAX_MISMATCH";
    case MatchState::CollectiveStateMismatch: return "COLLECTIVE_STATE_MISMATCH";
    case MatchState::CollectiveDtypeMismatch: return "COLLECTIVE_DTYPE_MISMATCH";
    case MatchState::Undecided: return "UNDECIDED";
  }
  return "";
}

MatchState match_state(const Recorder::Record& record, int rank, const Verdict& verdict,
                       const Recorder::CompletedElsewhere& completed_elsewhere) {
  if (verdict.disagreement && is_disputed(record, rank, *verdict.disagreement))
    return state_of_difference(verdict.disagreement->about);
  if (record.completed != 0) return record.op == OpType::Send ? MatchState::Undecided : MatchState::FullyMatched;
  const bool elsewhere = !is_message(record.op) && completed_elsewhere(record.group, record.sequence);
  return elsewhere ? MatchState::CollectiveStateMismatch : MatchState::Undecided;
}

}  // namespace ranklint::runtime
