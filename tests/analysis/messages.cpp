// Every rank of small worlds through what sends and receives: who is left waiting.
#include "analyzer/compare/messages.h"

#include "tests/analysis/produced.h"

namespace ranklint::test {

void add_messages(const Subject& subject, std::vector<Fact>& facts) {
  for (const StuckMessage& stuck : find_stuck_messages(subject.in).stuck) {
    for (const WaitingRank& waiting : stuck.waiting) {
      const std::string what = waiting.in_message ? (waiting.sends ? "to send to" : "to receive from") : "in " + waiting.op + " for";
      facts.push_back({waiting.range.line, "rank " + std::to_string(waiting.rank) + " waits " + what + " rank " + std::to_string(waiting.waits_for) + " of " +
                                               std::to_string(stuck.world_size) + (stuck.in_circle ? " in a circle" : "") + (stuck.buffers_help ? " without buffers" : "")});
    }
  }
}

}  // namespace ranklint::test
