#include "rules/problems.h"

namespace ranklint::thread_level {

constexpr RuleInfo kInfo{.id = "thread-level",
                         .code = "RL818",
                         .summary = "a thread calls MPI that MPI was not initialised for",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "two threads are in the library at once"};

static std::vector<Finding> find(const Query&, const Shared& shared) {
  return problems_of(kInfo, shared, mpi_check::ProblemKind::ThreadLevel);
}

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::thread_level
