// Replays of findings that no comparison of ranks led to: what the finding states, and nothing more, as steps.
#pragma once

#include <memory>
#include <string>

#include "rules/finding.h"

namespace ranklint::replay_templates {

// Where a finding says that ranks wait.
struct Collective {
  std::string op, group;
  Location at;
};

// One rank issues it, at a moment of its own or after a failure; another does not, or the other way round.
std::shared_ptr<const Replay> by_one_alone(const Collective& c);

// Two ranks issue it for two things, each in an order of its own.
std::shared_ptr<const Replay> in_two_orders(const Collective& c);

// `outsider` issues it with the members. `members` as in "0, 1"; empty: where the outsider's group is None, and so the
// world.
std::shared_ptr<const Replay> by_an_outsider(const Collective& c, uint32_t outsider, const std::string& members);

// Ranks issue it with terms of their own: another type, another structure, another id.
std::shared_ptr<const Replay> on_other_terms(const Collective& c);

// A message that one rank sends to another, or receives from it. `op` is what the code calls it.
struct Transfer {
  std::string op;
  bool sends = true;
  uint32_t rank = 0, peer = 1;
  int32_t tag = 0;
  Location at;
};

// Its peer does nothing of the kind. A peer that is the rank itself cannot.
std::shared_ptr<const Replay> unanswered(const Transfer& t);

// Every rank starts with it to or from its neighbour, and reaches the opposite only after it.
std::shared_ptr<const Replay> in_a_circle(const Transfer& first, const Transfer& then);

}  // namespace ranklint::replay_templates
