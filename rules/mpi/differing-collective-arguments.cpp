#include "rules/problems.h"

namespace ranklint::differing_collective_arguments {

constexpr RuleInfo kInfo{.id = "differing-collective-arguments",
                         .code = "RL802",
                         .summary = "root, operator, count or datatype of a collective differ between ranks",
                         .severity = Severity::Error,
                         .since = "0.1"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  return problems_of(kInfo, shared, mpi_check::ProblemKind::CollectiveArguments);
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::differing_collective_arguments
