#include "rules/problems.h"

namespace ranklint::unmatched_collective {

constexpr RuleInfo kInfo{.id = "unmatched-collective",
                         .code = "RL801",
                         .summary = "ranks of a communicator reach different collectives, or some reach none",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  report_problems(kInfo, facts, worlds::ProblemKind::CollectiveMismatch, report);
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::unmatched_collective
