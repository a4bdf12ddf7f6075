#include "rules/problems.h"

namespace ranklint::resource_leak {

using enum mpi_check::Fact;

constexpr RuleInfo kInfo{
    .id = "resource-leak",
    .code = "RL814",
    .summary = "a communicator, group, datatype, operator, window, file or persistent request is never freed",
    .severity = Severity::Warning,
    .since = "0.1",
    .no_wait = "memory is lost"};

constexpr Sentence kTable[] = {
    {NeverFreed, "the {1} of `{0}` is never freed by rank {2}", "call `{3}` before `MPI_Finalize`"},
    {RequestNeverFreed, "the persistent request of `{0}` is never freed by rank {1}",
     "call `MPI_Request_free` before `MPI_Finalize`"},
    {MemoryNeverFreed, "the memory of `MPI_Alloc_mem` is never freed by rank {0}",
     "call `MPI_Free_mem` before `MPI_Finalize`"},
    {KeyNeverFreed, "the key of `{0}` is never freed by rank {1}", "call `MPI_Comm_free_keyval` before `MPI_Finalize`"},
};
constexpr Sentences kSentences{mpi_check::ProblemKind::ResourceLeak, kTable};

static std::vector<Finding> find(const Query&, const Shared& shared) { return problems_of(kInfo, shared, kSentences); }

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::resource_leak
