#include "rules/problems.h"

namespace ranklint::aliased_buffers {

constexpr RuleInfo kInfo{.id = "aliased-buffers",
                         .code = "RL812",
                         .summary = "one call sends from and receives into the same memory",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the result is wrong"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  return problems_of(kInfo, shared, mpi_check::ProblemKind::AliasedBuffers);
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::aliased_buffers
