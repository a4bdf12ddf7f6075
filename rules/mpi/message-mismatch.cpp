#include "rules/problems.h"

namespace ranklint::message_mismatch {

using enum mpi_check::Fact;

constexpr RuleInfo kInfo{.id = "message-mismatch",
                         .code = "RL805",
                         .summary = "a message is received as another type, or in less memory than it needs",
                         .severity = Severity::Error,
                         .since = "0.1",
                         .no_wait = "the message is cut or taken for another type"};

constexpr Sentence kTable[] = {
    {MessageTooLong, "`{0}` takes {1} and is sent {2}", "receive at least as much as is sent"},
    {MessageOfOtherType, "`{0}` takes {1} and is sent {2}", "use the same datatype on both sides"},
    {SentHere, "it is sent here by rank {0}"},
    {UnpackedAsOtherType, "`{0}` takes `{1}` where another type was packed", "unpack what was packed, in its order"},
    {TargetOfOtherType, "`{0}` sends {1} where the target has {2}", "give the same elements on both sides"},
};
constexpr Sentences kSentences{mpi_check::ProblemKind::MessageMismatch, kTable};

static std::vector<Finding> find(const Query&, const Shared& shared) { return problems_of(kInfo, shared, kSentences); }

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::message_mismatch
