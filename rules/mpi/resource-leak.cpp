#include "rules/problems.h"

namespace ranklint::resource_leak {

constexpr RuleInfo kInfo{
    .id = "resource-leak",
    .code = "RL814",
    .summary = "a communicator, group, datatype, operator, window, file or persistent request is never freed",
    .severity = Severity::Warning,
    .since = "0.1",
    .no_wait = "memory is lost"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  return problems_of(kInfo, shared, mpi_check::ProblemKind::ResourceLeak);
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::resource_leak
