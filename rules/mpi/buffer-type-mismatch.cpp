#include "rules/problems.h"

namespace ranklint::buffer_type_mismatch {

constexpr RuleInfo kInfo{.id = "buffer-type-mismatch",
                         .code = "RL813",
                         .summary = "the datatype is not that of the memory, or the memory is too small",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "memory is overwritten"};

static void check(const Facts& facts, Reporter& report) {
  report_problems(kInfo, facts, worlds::ProblemKind::BufferType, report);
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::buffer_type_mismatch
