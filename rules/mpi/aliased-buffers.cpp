#include "rules/problems.h"

namespace ranklint::aliased_buffers {

using enum mpi_check::Fact;

constexpr RuleInfo kInfo{.id = "aliased-buffers",
                         .code = "RL812",
                         .summary = "one call sends from and receives into the same memory",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the result is wrong"};

constexpr Sentence kTable[] = {
    {SendsAndReceives, "`{0}` sends and receives in the same memory", "use two buffers, or `MPI_IN_PLACE`"},
    {ExchangesWithItself, "`{0}` sends and receives in the same memory", "use two buffers, or `MPI_Sendrecv_replace`"},
    {TakesAndGives, "`{0}` takes and gives in the same memory", "use two buffers"},
    {ReadsAndWrites, "`{0}` reads and writes the same memory", "use two buffers"},
    {PartsOverlap, "`{0}` receives the parts {1} and {2} in the same memory", "give each part a place of its own"},
    {ElementsOverlap, "`{0}` receives in a datatype whose elements overlap", "give each element a place of its own"},
};
constexpr Sentences kSentences{mpi_check::ProblemKind::AliasedBuffers, kTable};

static std::vector<Finding> find(const Query&, const Shared& shared) { return problems_of(kInfo, shared, kSentences); }

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::aliased_buffers
