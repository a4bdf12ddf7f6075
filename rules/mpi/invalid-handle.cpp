#include "rules/problems.h"

namespace ranklint::invalid_handle {

constexpr RuleInfo kInfo{.id = "invalid-handle",
                         .code = "RL808",
                         .summary = "a communicator, datatype, request or window that is null, freed or was never made",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the call fails"};

static void check(const Facts& facts, Reporter& report) {
  report_problems(kInfo, facts, worlds::ProblemKind::InvalidHandle, report);
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::invalid_handle
