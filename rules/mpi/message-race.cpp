#include "rules/problems.h"

namespace ranklint::message_race {

using enum mpi_check::Fact;

constexpr RuleInfo kInfo{.id = "message-race",
                         .code = "RL806",
                         .summary = "which message a wildcard receive takes is open, and it matters",
                         .severity = Severity::Warning,
                         .since = "0.1",
                         .no_wait = "the result depends on who comes first"};

constexpr Sentence kTable[] = {
    {RivalReceive, "which message `{0}` takes is open: rank {1} and rank {2} both send one that fits",
     "name the source, or tell the messages apart by their tags"},
    {FatalRace,
     "which message `{0}` takes is open: rank {1} and rank {2} both send one that fits, and the program ends the job "
     "over one of them",
     "name the source, or tell the messages apart by their tags"},
    {SendsHere, "rank {0} sends here"},
};
constexpr Sentences kSentences{mpi_check::ProblemKind::MessageRace, kTable};

static std::vector<Finding> find(const Query&, const Shared& shared) { return problems_of(kInfo, shared, kSentences); }

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::message_race
