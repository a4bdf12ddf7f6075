#include "rules/problems.h"

namespace ranklint::buffer_type_mismatch {

constexpr RuleInfo kInfo{.id = "buffer-type-mismatch",
                         .code = "RL813",
                         .summary = "the datatype is not that of the memory, or the memory is too small",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "memory is overwritten"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  return problems_of(kInfo, shared, mpi_check::ProblemKind::BufferType);
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::buffer_type_mismatch
