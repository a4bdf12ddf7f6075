#include "rules/problems.h"

namespace ranklint::buffer_in_use {

constexpr RuleInfo kInfo{.id = "buffer-in-use",
                         .code = "RL811",
                         .summary = "memory is touched while an operation holds it",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the result is wrong"};

static void check(const Facts& facts, Reporter& report) {
  report_problems(kInfo, facts, worlds::ProblemKind::BufferInUse, report);
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::buffer_in_use
