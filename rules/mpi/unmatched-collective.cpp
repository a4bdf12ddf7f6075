#include "rules/problems.h"

namespace ranklint::unmatched_collective {

using enum mpi_check::Fact;

constexpr RuleInfo kInfo{.id = "unmatched-collective",
                         .code = "RL801",
                         .summary = "ranks of a communicator reach different collectives, or some reach none",
                         .severity = Severity::Error,
                         .since = "0.1"};

constexpr Sentence kTable[] = {
    {OtherCollective, "`{0}` on `{1}` is issued by rank {2} where rank {3} issues `{4}`",
     "issue the same collectives in the same order on all ranks of the communicator"},
    {IssuesHere, "rank {0} issues `{1}` here"},
    {MissingRankWaits, "`{0}` on `{1}` is issued by rank {2} and not by rank {3}, which waits in `{4}` (line {5})",
     "make the call on every rank of the communicator"},
    {MissingRankEnded, "`{0}` on `{1}` is issued by rank {2} and not by rank {3}, which has ended",
     "make the call on every rank of the communicator"},
    {IsHere, "rank {0} is here"},
    {CallNeverReturns, "`{0}` of rank {1} waits forever", "make the calls that it waits for on the other ranks"},
};
constexpr Sentences kSentences{mpi_check::ProblemKind::CollectiveMismatch, kTable};

static std::vector<Finding> find(const Query&, const Shared& shared) { return problems_of(kInfo, shared, kSentences); }

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::unmatched_collective
