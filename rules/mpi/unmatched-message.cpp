#include "rules/problems.h"

namespace ranklint::unmatched_message {

using enum mpi_check::Fact;

constexpr RuleInfo kInfo{.id = "unmatched-message",
                         .code = "RL803",
                         .summary = "a send or a receive that no other rank answers",
                         .severity = Severity::Error,
                         .since = "0.1"};

constexpr Sentence kTable[] = {
    {UnansweredSend, "`{0}` of rank {1} to {2} with {3} waits forever", "post the receive that belongs to it"},
    {UnansweredReceive, "`{0}` of rank {1} from {2} with {3} waits forever", "send the message that it waits for"},
    {UnreadySend, "`{0}` of rank {1} to rank {2} may come before its receive is posted",
     "let the receiver tell that it is ready, or send in another mode"},
    {ReceivesHere, "rank {0} receives here"},
    {NeverReceived, "what `{0}` of rank {1} sends to rank {2} with tag {3} is never received",
     "post the receive that belongs to it"},
};
constexpr Sentences kSentences{mpi_check::ProblemKind::UnmatchedMessage, kTable};

static std::vector<Finding> find(const Query&, const Shared& shared) { return problems_of(kInfo, shared, kSentences); }

extern const Rule kRule;
const Rule kRule{&kInfo, find};

}  // namespace ranklint::unmatched_message
