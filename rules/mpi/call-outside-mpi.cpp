#include "rules/problems.h"

namespace ranklint::call_outside_mpi {

using enum mpi_check::Fact;

constexpr RuleInfo kInfo{
    .id = "call-outside-mpi",
    .code = "RL815",
    .summary = "MPI is called before it is initialised or after it is finalised, or never finalised",
    .severity = Severity::Error,
    .since = "0.1",
    .no_wait = "the call fails"};

constexpr Sentence kTable[] = {
    {CalledAfterFinalize, "`{0}` is called after `MPI_Finalize`", "call it before `MPI_Finalize`"},
    {FinalizedHere, "`MPI_Finalize` is called here"},
    {CalledBeforeInit, "`{0}` is called before `MPI_Init`", "call `MPI_Init` first"},
    {InitialisedTwice, "`{0}` is called a second time", "call it once"},
    {NeverFinalized, "rank {0} ends without `MPI_Finalize`", "call `MPI_Finalize` on every path to the end"},
};
constexpr Sentences kSentences{mpi_check::ProblemKind::OutsideMpi, kTable};

static std::vector<Finding> find(const Query&, const Shared& shared) { return problems_of(kInfo, shared, kSentences); }

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::call_outside_mpi
