#include "rules/problems.h"

namespace ranklint::invalid_handle {

using enum mpi_check::Fact;

constexpr RuleInfo kInfo{.id = "invalid-handle",
                         .code = "RL808",
                         .summary = "a communicator, datatype, request or window that is null, freed or was never made",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the call fails"};

constexpr Sentence kTable[] = {
    {UnsetHandle, "`{0}` is given a {1} that was never set", "make the {1} before it is used"},
    {ZeroHandle, "`{0}` is given 0 as its {1}", "make the {1} before it is used"},
    {OtherHandle, "`{0}` is given a {1} where it takes a {2}", "give a {2}"},
    {FreedHandle, "`{0}` is given a {1} that was freed", "free it behind its last use"},
    {MadeHere, "it was made here"},
    {NullHandle, "`{0}` is given `{1}`", "give a {2}"},
    {InvalidKey, "`{0}` is given `MPI_KEYVAL_INVALID`", "give a key that was made"},
    {FreedKey, "`{0}` is given a key that was freed", "free it behind its last use"},
    {UncommittedType, "`{0}` is given a datatype that was not committed",
     "call `MPI_Type_commit` before the type is used"},
    {TypeMadeHere, "the type is made here"},
    {ScanBetweenGroups, "`{0}` is given an inter-communicator", "give a communicator of one group"},
    {OneGroupOnly, "`{0}` is given an intra-communicator", "give an inter-communicator"},
    {PredefinedFreed, "`{0}` is given `{1}`", "free only what the program has made"},
    {NullRequestStarted, "`{0}` is given `MPI_REQUEST_NULL`", "start a persistent request"},
    {NullRequestFreed, "`{0}` is given `MPI_REQUEST_NULL`", "free a request that was made"},
    {WithoutGrid, "`{0}` on a communicator without a grid", "give a communicator made by `MPI_Cart_create`"},
    {WithoutGraph, "`{0}` on a communicator without a graph", "give a communicator made by `MPI_Graph_create`"},
    {WithoutDistributedGraph, "`{0}` on a communicator without a distributed graph",
     "give a communicator made by `MPI_Dist_graph_create`"},
};
constexpr Sentences kSentences{mpi_check::ProblemKind::InvalidHandle, kTable};

static std::vector<Finding> find(const Query&, const Shared& shared) { return problems_of(kInfo, shared, kSentences); }

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::invalid_handle
