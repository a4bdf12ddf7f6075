#include "rules/problems.h"

namespace ranklint::buffer_type_mismatch {

using enum mpi_check::Fact;

constexpr RuleInfo kInfo{.id = "buffer-type-mismatch",
                         .code = "RL813",
                         .summary = "the datatype is not that of the memory, or the memory is too small",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "memory is overwritten"};

constexpr Sentence kTable[] = {
    {MemoryGone, "`{0}` is given memory that is gone: it was freed, or its function has returned",
     "keep the memory as long as messages use it"},
    {OtherElements, "`{0}` is told `{1}`, and the memory holds another type", "give the datatype of the elements"},
    {TypeOfList, "a type of the list"},
    {MemoryTooSmall, "`{0}` is told {1} bytes where the memory has {2}",
     "give the number of items that the memory holds"},
    {ListTooShort, "`{0}` is told to read {1} numbers where the memory has {2}", "give a list of as many numbers"},
};
constexpr Sentences kSentences{mpi_check::ProblemKind::BufferType, kTable};

static std::vector<Finding> find(const Query&, const Shared& shared) { return problems_of(kInfo, shared, kSentences); }

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::buffer_type_mismatch
