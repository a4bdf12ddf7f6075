#include "rules/problems.h"

namespace ranklint::request_misuse {

constexpr RuleInfo kInfo{.id = "request-misuse",
                         .code = "RL810",
                         .summary = "a request is started twice, or freed or cancelled when it may not be",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the call fails"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  return problems_of(kInfo, shared, mpi_check::ProblemKind::RequestMisuse);
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::request_misuse
