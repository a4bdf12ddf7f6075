#include "rules/problems.h"

namespace ranklint::message_race {

constexpr RuleInfo kInfo{.id = "message-race",
                         .code = "RL806",
                         .summary = "which message a wildcard receive takes is open, and it matters",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "the result depends on who comes first"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  return problems_of(kInfo, shared, mpi_check::ProblemKind::MessageRace);
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::message_race
