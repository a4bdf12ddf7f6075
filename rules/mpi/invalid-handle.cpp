#include "rules/problems.h"

namespace ranklint::invalid_handle {

constexpr RuleInfo kInfo{.id = "invalid-handle",
                         .code = "RL808",
                         .summary = "a communicator, datatype, request or window that is null, freed or was never made",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the call fails"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  return problems_of(kInfo, shared, mpi_check::ProblemKind::InvalidHandle);
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::invalid_handle
