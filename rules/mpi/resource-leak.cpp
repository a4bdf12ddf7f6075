#include "rules/problems.h"

namespace ranklint::resource_leak {

constexpr RuleInfo kInfo{
    .id = "resource-leak",
    .code = "RL814",
    .summary = "a communicator, group, datatype, operator, window, file or persistent request is never freed",
    .severity = Severity::Warning,
    .since = "0.1",
    .no_wait = "memory is lost"};

static void check(const Facts& facts, Reporter& report) {
  report_problems(kInfo, facts, worlds::ProblemKind::ResourceLeak, report);
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::resource_leak
