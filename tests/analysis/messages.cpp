// Runs every rank of small worlds through its sends and receives: which ranks are left waiting.
#include "analyzer/messages/messages.h"

#include "tests/analysis/produced.h"

namespace ranklint::test {

void add_messages(const Subject& subject, std::vector<Fact>& facts) {
  for (const StuckMessage& stuck : find_stuck_messages(subject.in).stuck) {
    for (const WaitingRank& waiting : stuck.waiting) {
      const std::string transfer = waiting.sends ? "to send to" : "to receive from";
      std::string text = "rank " + std::to_string(waiting.rank) + " waits ";
      text += waiting.in_message ? transfer : "in " + waiting.op + " for";
      text += " rank " + std::to_string(waiting.waits_for) + " of " + std::to_string(stuck.world_size);
      if (stuck.in_circle) text += " in a circle";
      if (stuck.buffers_help) text += " without buffers";
      facts.push_back({waiting.range.line, std::move(text)});
    }
  }
}

}  // namespace ranklint::test
