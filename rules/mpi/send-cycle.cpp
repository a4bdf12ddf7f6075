#include "rules/problems.h"

namespace ranklint::send_cycle {

using enum mpi_check::Fact;

constexpr RuleInfo kInfo{.id = "send-cycle",
                         .code = "RL804",
                         .summary = "blocking sends that return only if the library buffers them",
                         .severity = Severity::Error,
                         .since = "0.1"};

constexpr Sentence kTable[] = {
    {SendsInCircle,
     "`{0}` of rank {1} to {2} with {3} returns only if the library buffers it: the ranks send in a circle",
     "let one side receive first, or use `MPI_Sendrecv` or `MPI_Isend`"},
};
constexpr Sentences kSentences{mpi_check::ProblemKind::SendCycle, kTable};

static std::vector<Finding> find(const Query&, const Shared& shared) { return problems_of(kInfo, shared, kSentences); }

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::send_cycle
