#include "rules/problems.h"

namespace ranklint::unwaited_request {

using enum mpi_check::Fact;

constexpr RuleInfo kInfo{.id = "unwaited-request",
                         .code = "RL809",
                         .summary = "a request that is never waited for",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the result is wrong"};

constexpr Sentence kTable[] = {
    {NeverWaitedFor, "the request of `{0}` on rank {1} is never waited for",
     "call `MPI_Wait` on it before its memory is used and before `MPI_Finalize`"},
    {UnwaitedMadeHere, "the request is made here"},
};
constexpr Sentences kSentences{mpi_check::ProblemKind::RequestNotCompleted, kTable};

static std::vector<Finding> find(const Query&, const Shared& shared) { return problems_of(kInfo, shared, kSentences); }

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::unwaited_request
