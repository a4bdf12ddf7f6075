#include "rules/problems.h"

namespace ranklint::epoch_misuse {

using enum mpi_check::Fact;

constexpr RuleInfo kInfo{.id = "epoch-misuse",
                         .code = "RL816",
                         .summary = "a one-sided call outside of its epoch, or an epoch that does not fit",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the call fails"};

constexpr Sentence kTable[] = {
    {OutsideAccessEpoch, "`{0}` outside of an access epoch",
     "open one first, with `MPI_Win_fence`, `MPI_Win_start` or `MPI_Win_lock`"},
    {RequestOutsideLock, "`{0}` outside of a lock: requests are for passive targets only",
     "lock the window first, or use the call without a request"},
    {NothingAttached, "`{0}` reaches for memory of rank {1}, which has attached none to the window",
     "call `MPI_Win_attach` there before, and `MPI_Win_detach` behind the epoch"},
    {TargetEpochHere, "rank {0} begins its epoch here"},
    {PutAgainstPromise, "`{0}` to rank {1}, which has promised that there are none with `MPI_MODE_NOPUT`",
     "leave the promise out"},
    {PromisedHere, "it is promised here"},
    {ExposureNotEnded, "`{0}` before `MPI_Win_wait`", "wait for the end of the exposure epoch first"},
    {AccessNotEnded, "`{0}` before `MPI_Win_complete`", "complete the epoch first"},
    {WindowLocked, "`{0}` while a lock of the window is held", "unlock first"},
    {FreedWithAccesses, "`{0}` in an epoch with accesses that no call has completed",
     "end the epoch first, with `MPI_Win_fence`"},
    {AccessesPrecede, "`{0}` with `MPI_MODE_NOPRECEDE` ends an epoch with accesses", "give 0 instead"},
    {StorePrecedes, "`{0}` with `MPI_MODE_NOSTORE` behind a store to the window (line {1})", "give 0 instead"},
    {ExposedTwice, "`{0}` in an exposure epoch that is open", "call `MPI_Win_wait` first"},
    {AccessStartedTwice, "`{0}` in an access epoch that is open", "call `MPI_Win_complete` first"},
    {NotStarted, "`{0}` without `MPI_Win_start`", "start the access epoch first"},
    {NotPosted, "`{0}` without `MPI_Win_post`", "post the exposure epoch first"},
    {LockedTwice, "`{0}` of rank {1}, whose lock is held already", "unlock first"},
    {LockedWhileStarted, "`{0}` in an access epoch that `MPI_Win_start` opened", "call `MPI_Win_complete` first"},
    {LockedWhileFenced, "`{0}` in an epoch that a fence opened", "end it with a fence first"},
    {RankNotLocked, "`{0}` of rank {1}, whose lock is not held", "lock it first"},
    {AllLockedTwice, "`{0}` while a lock is held", "unlock first"},
    {AllNotLocked, "`{0}` without `MPI_Win_lock_all`", "lock first"},
    {NotLocked, "`{0}` without a lock", "lock the window first"},
    {EpochNeverEnds, "`{0}` of rank {1} waits forever", "make the calls that it waits for on the other ranks"},
    {EpochBeginsHere, "the epoch begins here"},
};
constexpr Sentences kSentences{mpi_check::ProblemKind::EpochMisuse, kTable};

static std::vector<Finding> find(const Query&, const Shared& shared) { return problems_of(kInfo, shared, kSentences); }

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::epoch_misuse
