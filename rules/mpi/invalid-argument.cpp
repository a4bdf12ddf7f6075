#include "rules/problems.h"

namespace ranklint::invalid_argument {

constexpr RuleInfo kInfo{.id = "invalid-argument",
                         .code = "RL807",
                         .summary = "a count, tag, rank, root or operator that the call does not take",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the call fails"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  return problems_of(kInfo, shared, mpi_check::ProblemKind::InvalidArgument);
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::invalid_argument
