#include "rules/problems.h"

namespace ranklint::window_conflict {

using enum mpi_check::Fact;

constexpr RuleInfo kInfo{.id = "window-conflict",
                         .code = "RL817",
                         .summary = "two accesses of window memory that nothing orders",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the result is wrong"};

constexpr Sentence kTable[] = {
    {UnorderedAccesses, "{0} and {1} (line {2}) use the same window memory, and nothing orders them",
     "put a call that ends the epoch and orders the ranks between the two"},
    {OtherAccessHere, "{0} is here"},
    {OwnRead, "the read of rank {0}"},
    {OwnWrite, "the write of rank {0}"},
    {EpochBufferRead, "the buffer of `{0}` (line {1}) is read before the epoch ends",
     "touch the memory only after the call that ends the epoch"},
    {EpochBufferWritten, "the buffer of `{0}` (line {1}) is written before the epoch ends",
     "touch the memory only after the call that ends the epoch"},
    {AccessStartsHere, "`{0}` starts here"},
};
constexpr Sentences kSentences{mpi_check::ProblemKind::WindowConflict, kTable};

static std::vector<Finding> find(const Query&, const Shared& shared) { return problems_of(kInfo, shared, kSentences); }

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::window_conflict
