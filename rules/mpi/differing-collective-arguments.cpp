#include "rules/problems.h"

namespace ranklint::differing_collective_arguments {

constexpr RuleInfo kInfo{.id = "differing-collective-arguments",
                         .code = "RL802",
                         .summary = "root, operator, count or datatype of a collective differ between ranks",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  report_problems(kInfo, facts, worlds::ProblemKind::CollectiveArguments, report);
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::differing_collective_arguments
