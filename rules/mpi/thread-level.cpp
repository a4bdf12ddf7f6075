#include "rules/problems.h"

namespace ranklint::thread_level {

using enum mpi_check::Fact;

constexpr RuleInfo kInfo{.id = "thread-level",
                         .code = "RL818",
                         .summary = "a thread calls MPI that MPI was not initialised for",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "two threads are in the library at once"};

constexpr Sentence kTable[] = {
    {WrongThread, "`{0}` is called by {1}, and {2}",
     "initialise with `MPI_Init_thread` and `{3}`, or call it on the main thread alone"},
    {ThreadsShareCommunicator, "`{0}` is called by several threads at once on one communicator",
     "give each thread a communicator of its own, or let one thread call"},
    {SeveralThreads, "several threads"},
    {MainThread, "the main one of several threads"},
    {AnyThread, "any one of several threads"},
    {OwnThread, "a thread of its own"},
    {LevelAskedFor, "`{0}` is what `MPI_Init_thread` asks for"},
    {LevelOfInit, "`MPI_Init` gives `{0}`"},
};
constexpr Sentences kSentences{mpi_check::ProblemKind::ThreadLevel, kTable};

static std::vector<Finding> find(const Query&, const Shared& shared) { return problems_of(kInfo, shared, kSentences); }

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::thread_level
