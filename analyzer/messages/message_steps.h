// What ranks do with messages, as plain lists, and which ranks are left waiting when the lists are put together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/summary/summary.h"

namespace ranklint {

inline constexpr int64_t kAnyTag = INT64_MIN;

struct MessageStep {
  enum class Kind : uint8_t { Collective, Send, Receive, Wait };
  Kind kind = Kind::Collective;
  std::string op;        // as it is called: "all_reduce", "isend"
  uint32_t peer = 0;     // Send, Receive
  int64_t tag = 0;       // Send, Receive; kAnyTag: of a receive that takes any
  size_t started = 0;    // Wait: where in the list the transfer is that it waits for
  FunctionKey function;  // where it stands
  SourceRange range;
};

using MessageLists = std::vector<std::vector<MessageStep>>;  // per rank

// Gives the messages between two ranks one tag, where the receives take any. False: some do and some do not, so that it
// is not known which message they take.
bool settle_tags(MessageLists& lists);

// How far each rank comes. Collectives are on the world.
struct MessageEnding {
  std::vector<size_t> at;  // per rank; the length of its list: it is through
  bool is_stuck(const MessageLists& lists) const;
};

// With buffers a send is over before its receiver has come.
MessageEnding put_together(const MessageLists& lists, bool buffers);

// The rank that the one at `rank` waits for; itself: it waits for no rank.
uint32_t waits_for(const MessageLists& lists, const MessageEnding& ending, uint32_t rank);

}  // namespace ranklint
