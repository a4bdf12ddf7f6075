#include "rules/problems.h"

namespace ranklint::differing_collective_arguments {

using enum mpi_check::Fact;

constexpr RuleInfo kInfo{.id = "differing-collective-arguments",
                         .code = "RL802",
                         .summary = "root, operator, count or datatype of a collective differ between ranks",
                         .severity = Severity::Error,
                         .since = "0.1"};

constexpr Sentence kTable[] = {
    {ArgumentsDiffer, "`{0}` on `{1}`: the {2} is {3} on rank {4} and {5} on rank {6}",
     "give the same {2} on all ranks"},
    {RootsOfSidesDiffer, "`{0}` on `{1}`: the {2} is {3} on rank {4} and {5} on rank {6}",
     "give `MPI_ROOT` on one rank, `MPI_PROC_NULL` on the others of its side, and its number on the other side"},
    {PlacesDiffer, "`{0}` on `{1}`: the {2} is {3} on rank {4} and {5} on rank {6}",
     "give `MPI_IN_PLACE` on all ranks or on none"},
    {EdgesDiffer, "`{0}` on `{1}`: the {2} is {3} on rank {4} and {5} on rank {6}",
     "name each edge as a destination where it begins and as a source where it ends"},
    {CallsItHere, "rank {0} calls it here"},
    {Term, "{0} {1}"},
    {Root, "root"},
    {Reduction, "operator"},
    {SendBuffer, "send buffer"},
    {WholeMessage, "message"},
    {ListOfCounts, "list of counts"},
    {SplitType, "split type"},
    {GroupOfRank, "group"},
    {RemainingDimensions, "list of dimensions that remain"},
    {Grid, "grid"},
    {Graph, "graph"},
    {EdgesBetween, "number of edges from {0} to {1}"},
    {AccessMode, "access mode"},
    {FileSize, "size"},
    {FileOffset, "offset"},
    {SeekStart, "start"},
    {Atomicity, "flag"},
    {ElementExtent, "extent of the elements"},
    {OwnMemory, "memory of its own"},
    {One, "one"},
    {Another, "another"},
    {OneOfSize, "one of {0}"},
};
constexpr Sentences kSentences{mpi_check::ProblemKind::CollectiveArguments, kTable};

static std::vector<Finding> find(const Query&, const Shared& shared) { return problems_of(kInfo, shared, kSentences); }

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::differing_collective_arguments
