#include "rules/problems.h"

namespace ranklint::invalid_argument {

constexpr RuleInfo kInfo{.id = "invalid-argument",
                         .code = "RL807",
                         .summary = "a count, tag, rank, root or operator that the call does not take",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the call fails"};

static void check(const Facts& facts, Reporter& report) {
  report_problems(kInfo, facts, worlds::ProblemKind::InvalidArgument, report);
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::invalid_argument
