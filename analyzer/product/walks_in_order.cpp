#include "analyzer/product/walks_in_order.h"

#include <algorithm>

namespace ranklint {

void WalksInOrder::add(const Scenario& a, const Scenario& b) {
  if (!a.gave_rank() && !b.gave_rank()) walks_.push_back({a.answers(), b.answers()});
}

bool WalksInOrder::answers_alike(const Answers& known, Scenario& scenario) {
  return std::ranges::all_of(known, [&](const Scenario::Answer& answer) { return scenario.would_answer(answer); });
}

bool WalksInOrder::foretell(Scenario& a, Scenario& b) const {
  return std::ranges::any_of(walks_,
                             [&](const Walk& walk) { return answers_alike(walk.a, a) && answers_alike(walk.b, b); });
}

}  // namespace ranklint
