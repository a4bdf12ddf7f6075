#include "rules/problems.h"

namespace ranklint::buffer_in_use {

using enum mpi_check::Fact;

constexpr RuleInfo kInfo{.id = "buffer-in-use",
                         .code = "RL811",
                         .summary = "memory is touched while an operation holds it",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the result is wrong"};

constexpr Sentence kTable[] = {
    {BufferReadEarly, "the buffer of `{0}` (line {1}) is read before the operation is completed",
     "wait for the request before the memory is touched"},
    {BufferWrittenEarly, "the buffer of `{0}` (line {1}) is written before the operation is completed",
     "wait for the request before the memory is touched"},
    {BufferEndsEarly, "the buffer of `{0}` (line {1}) ends with its function before the operation is completed",
     "wait for the request before the function returns, or keep the memory longer"},
    {OperationStartsHere, "`{0}` starts here"},
    {AttachedBufferFreed, "`{0}` where the buffer that is attached was freed",
     "call `MPI_Buffer_detach` before the memory is freed"},
    {WindowMemoryGone, "memory goes that the window of `{0}` (line {1}) still has", "call `MPI_Win_free` first"},
    {AttachedMemoryGone, "memory goes that the window of `{0}` (line {1}) still has", "call `MPI_Win_detach` first"},
    {WindowMadeHere, "the window is made here"},
};
constexpr Sentences kSentences{mpi_check::ProblemKind::BufferInUse, kTable};

static std::vector<Finding> find(const Query&, const Shared& shared) { return problems_of(kInfo, shared, kSentences); }

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::buffer_in_use
