#include "rules/problems.h"

namespace ranklint::send_cycle {

constexpr RuleInfo kInfo{.id = "send-cycle",
                         .code = "RL804",
                         .summary = "blocking sends that return only if the library buffers them",
                         .severity = Severity::Error,
                         .since = "0.1"};

static void check(const Facts& facts, Reporter& report) {
  report_problems(kInfo, facts, worlds::ProblemKind::SendCycle, report);
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::send_cycle
