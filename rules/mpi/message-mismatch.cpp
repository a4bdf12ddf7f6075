#include "rules/problems.h"

namespace ranklint::message_mismatch {

constexpr RuleInfo kInfo{.id = "message-mismatch",
                         .code = "RL805",
                         .summary = "a message is received as another type, or in less memory than it needs",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the message is cut or taken for another type"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  return problems_of(kInfo, shared, mpi_check::ProblemKind::MessageMismatch);
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::message_mismatch
