#include "rules/problems.h"

namespace ranklint::request_misuse {

using enum mpi_check::Fact;

constexpr RuleInfo kInfo{.id = "request-misuse",
                         .code = "RL810",
                         .summary = "a request is started twice, or freed or cancelled when it may not be",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the call fails"};

constexpr Sentence kTable[] = {
    {StartedByItself, "`{0}` is given a request that `{1}` has started already", "start only persistent requests"},
    {RequestMadeHere, "the request is made here"},
    {StartedTwice, "`{0}` starts a request that is active", "wait for it before it is started again"},
    {StartedBefore, "it was started here"},
    {FreedWhileFilled, "`{0}` frees a request that is still active: no call can tell when its memory is filled",
     "wait for it before it is freed"},
    {FreedWhileRead, "`{0}` frees a request that is still active: no call can tell when its memory is free again",
     "wait for it before it is freed"},
    {CancelledInactive, "`{0}` is given a request that is not active", "cancel what was started"},
    {RequestOfOtherCall, "`{0}` is given the request of `{1}`", "give one of `{2}`"},
    {PartMarkedTwice, "`{0}` marks the part {1} a second time", "mark each part once for each start"},
    {PartNotStarted, "`{0}` marks the part {1} of a message that was not started", "start the request first"},
    {PartsNeverReady, "`{0}` of rank {1} to {2} with {3} waits for parts that are never marked as ready",
     "call `MPI_Pready` for each part"},
    {SplitNotEnded, "`{0}` before `{1}_end`", "end the split collective first"},
    {SplitBeginsHere, "it begins here"},
    {SplitNotBegun, "`{0}` without `{1}_begin`", "begin the split collective first"},
    {ClosedBeforeRequest, "`{0}` is called before the request of `{1}` is complete",
     "wait for it before the file is closed"},
    {FileRequestStartsHere, "it is started here"},
};
constexpr Sentences kSentences{mpi_check::ProblemKind::RequestMisuse, kTable};

static std::vector<Finding> find(const Query&, const Shared& shared) { return problems_of(kInfo, shared, kSentences); }

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::request_misuse
