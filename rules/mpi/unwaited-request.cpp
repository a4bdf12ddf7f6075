#include "rules/problems.h"

namespace ranklint::unwaited_request {

constexpr RuleInfo kInfo{.id = "unwaited-request",
                         .code = "RL809",
                         .summary = "a request that is never waited for",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the result is wrong"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  return problems_of(kInfo, shared, mpi_check::ProblemKind::RequestNotCompleted);
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::unwaited_request
