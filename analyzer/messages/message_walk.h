// One rank through a function that sends messages, into all calls that send or communicate.
//
// Unlike the comparison of two ranks, which walks both sides of what it does not know, this needs to know everything:
// the rank at the other end of each message, how often a loop goes round, what is waited for. Where it does not, the
// walk is lost and nothing is concluded. What all ranks decide alike and nothing determines is a choice, tried both
// ways.
#pragma once

#include <map>
#include <set>
#include <vector>

#include "analyzer/execution/frames.h"
#include "analyzer/messages/message_steps.h"

namespace ranklint {

// What an operation does that is handed over: `P2POp(dist.isend, ...)`. Both: it is none that is known.
TransferDirection direction_of(const Query& in, ValueId operation);

// What may be sent and received below a function: it decides whether a choice is believed to be one of all ranks. Found
// out of those functions that are asked for: of an edit they are few.
class Directions {
 public:
  static constexpr unsigned kSends = 1, kReceives = 2, kBoth = 3;

  explicit Directions(const Query& query) : in_(query) {}
  unsigned of(FunctionKey f) const;
  // Of the blocks from `from` on, up to `join` where there is one.
  unsigned between(const Summary& s, ir::BlockId from, ir::BlockId join) const;

 private:
  // Of what the block itself does; adds the functions that it calls.
  unsigned of_steps(const BlockSteps& block, std::vector<FunctionKey>& called) const;
  unsigned of_block(const BlockSteps& block) const;

  const Query& in_;
  mutable std::map<FunctionKey, unsigned> known_;
};

// The choices of one run, in the order in which they are asked for: the given ones first, then the first option each
// time.
class MessageChoices {
 public:
  explicit MessageChoices(std::vector<uint32_t> wanted = {}) : wanted_(std::move(wanted)) {}

  bool holds(const ValueStore& values, ValueId term);
  uint32_t rounds(ValueId iterable);
  // The next list of choices, depth first; false: all were tried.
  bool advance();

  // A side that only sends, or only receives, may well be taken by some ranks only.
  bool believed = true;
  const PathCondition& made() const { return shared_; }

 private:
  uint32_t next(uint32_t options);

  std::vector<uint32_t> wanted_;
  std::vector<std::pair<uint32_t, uint32_t>> taken_;  // and of how many
  PathCondition shared_;
  std::map<ValueId, uint32_t> rounds_;
};

// Which terms speak of an element of what a loop goes over. Asked of every term that a walk meets, on every rank.
class ElementTerms {
 public:
  explicit ElementTerms(const ValueStore& values) : values_(values) {}
  bool contain(ValueId v);

 private:
  enum class Known : uint8_t { Nothing, No, Yes };
  const ValueStore& values_;
  std::vector<Known> known_;  // by ValueId
};

struct MessageWalk {
  enum class End : uint8_t { Through, Fails, Lost };
  End end = End::Through;
  std::vector<MessageStep> steps;
};

// From the start of `frames`, which are of all ranks. `entered`: the functions that it came to.
MessageWalk walk_messages(const Query& query, const Directions& directions, ElementTerms& elements, Frames& frames,
                          const World& world, uint32_t rank, MessageChoices& choices, std::set<FunctionKey>& entered);

}  // namespace ranklint
