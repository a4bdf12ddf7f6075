#include "rules/problems.h"

namespace ranklint::epoch_misuse {

constexpr RuleInfo kInfo{.id = "epoch-misuse",
                         .code = "RL816",
                         .summary = "a one-sided call outside of its epoch, or an epoch that does not fit",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the call fails"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  return problems_of(kInfo, shared, mpi_check::ProblemKind::EpochMisuse);
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::epoch_misuse
