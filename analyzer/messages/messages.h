// Sends and receives that do not come to an end, found by running every rank of small worlds (messages.cpp).
#pragma once

#include <memory>
#include <set>
#include <string>
#include <vector>

#include "analyzer/execution/replay.h"
#include "analyzer/summary/summary.h"

namespace ranklint {

class Query;

// Where a rank stands when nothing moves any more.
struct WaitingRank {
  uint32_t rank = 0;
  bool in_message = true;  // else in a collective
  bool sends = false;
  std::string op;  // "send", "all_reduce"
  uint32_t waits_for = 0;
  FunctionKey function;  // of the transfer or the collective
  SourceRange range;
  FunctionKey answered_in;  // in_message: where the other end would answer; invalid: nowhere
  SourceRange answer;
};

struct StuckMessage {
  FunctionKey root;           // the function that all ranks were sent through
  bool in_circle = false;     // the rank that is waited for waits, too; else it has gone on, or ended
  bool buffers_help = false;  // it ends where a send does not wait for its receiver
  int64_t tag = 0;
  std::vector<WaitingRank> waiting;  // the finding's own rank first, then those that it leads to
  uint32_t world_size = 0;
  std::vector<std::string> assumptions;
  Assurance certainty = Confidence::Likely;
  std::shared_ptr<const Replay> replay;
};

struct Messages {
  std::vector<StuckMessage> stuck;
  std::set<FunctionKey> judged;  // functions of which every run is known
};

Messages find_stuck_messages(const Query& query);

}  // namespace ranklint
