#include "rules/problems.h"

namespace ranklint::aliased_buffers {

constexpr RuleInfo kInfo{.id = "aliased-buffers",
                         .code = "RL812",
                         .summary = "one call sends from and receives into the same memory",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the result is wrong"};

static void check(const Facts& facts, Reporter& report) {
  report_problems(kInfo, facts, worlds::ProblemKind::AliasedBuffers, report);
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::aliased_buffers
