#include "rules/problems.h"

namespace ranklint::buffer_in_use {

constexpr RuleInfo kInfo{.id = "buffer-in-use",
                         .code = "RL811",
                         .summary = "memory is touched while an operation holds it",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the result is wrong"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  return problems_of(kInfo, shared, mpi_check::ProblemKind::BufferInUse);
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::buffer_in_use
