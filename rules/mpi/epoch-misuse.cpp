#include "rules/problems.h"

namespace ranklint::epoch_misuse {

constexpr RuleInfo kInfo{.id = "epoch-misuse",
                         .code = "RL816",
                         .summary = "a one-sided call outside of its epoch, or an epoch that does not fit",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the call fails"};

static void check(const Facts& facts, Reporter& report) {
  report_problems(kInfo, facts, worlds::ProblemKind::EpochMisuse, report);
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::epoch_misuse
