#include "rules/problems.h"

namespace ranklint::thread_level {

constexpr RuleInfo kInfo{.id = "thread-level",
                         .code = "RL818",
                         .summary = "a thread calls MPI that MPI was not initialised for",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "two threads are in the library at once"};

static void check(const Facts& facts, Reporter& report) {
  report_problems(kInfo, facts, worlds::ProblemKind::ThreadLevel, report);
}

extern const Rule kRule;
const Rule kRule{&kInfo, check};

}  // namespace ranklint::thread_level
