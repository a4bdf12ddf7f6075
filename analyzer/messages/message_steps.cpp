// Messages between two ranks under one tag are taken in the order in which they are sent, and no receive takes any
// sender: so it does not matter which rank goes on first, and what is left when nothing moves any more is left in every
// run.
#include "analyzer/messages/message_steps.h"

#include <map>
#include <tuple>

namespace ranklint {
namespace {

class Meeting {
 public:
  Meeting(const MessageLists& lists, bool buffers) : lists_(lists), buffers_(buffers), turns_(lists.size()) {
    ending_.at.resize(lists.size());
    for (size_t rank = 0; rank < lists.size(); ++rank) turns_[rank].resize(lists[rank].size());
  }

  MessageEnding run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (uint32_t rank = 0; rank < lists_.size(); ++rank)
        while (goes_on(rank)) {
          ++ending_.at[rank];
          moved = true;
        }
      moved = collective() || moved;
    }
    return std::move(ending_);
  }

 private:
  using Channel = std::tuple<uint32_t, uint32_t, int64_t>;  // from, to, tag

  const MessageStep* at(uint32_t rank) const {
    return ending_.at[rank] < lists_[rank].size() ? &lists_[rank][ending_.at[rank]] : nullptr;
  }

  static Channel channel(uint32_t rank, const MessageStep& s) {
    return s.kind == MessageStep::Kind::Send ? Channel{rank, s.peer, s.tag} : Channel{s.peer, rank, s.tag};
  }

  bool goes_on(uint32_t rank) {
    const MessageStep* s = at(rank);
    if (!s || s->kind == MessageStep::Kind::Collective) return false;
    if (s->kind == MessageStep::Kind::Wait) return is_over(rank, s->started);
    auto& posted = s->kind == MessageStep::Kind::Send ? sent_ : received_;
    turns_[rank][ending_.at[rank]] = posted[channel(rank, *s)]++;
    return true;
  }

  bool is_over(uint32_t rank, size_t started) {
    const MessageStep& s = lists_[rank][started];
    const bool sends = s.kind == MessageStep::Kind::Send;
    return (sends && buffers_) || turns_[rank][started] < (sends ? received_ : sent_)[channel(rank, s)];
  }

  bool collective() {
    for (uint32_t rank = 0; rank < lists_.size(); ++rank)
      if (!at(rank) || at(rank)->kind != MessageStep::Kind::Collective || at(rank)->op != at(0)->op) return false;
    for (size_t& place : ending_.at) ++place;
    return true;
  }

  const MessageLists& lists_;
  const bool buffers_;
  MessageEnding ending_;
  std::vector<std::vector<size_t>> turns_;  // which of its channel's a transfer is
  std::map<Channel, size_t> sent_, received_;
};

}  // namespace

bool MessageEnding::is_stuck(const MessageLists& lists) const {
  for (size_t rank = 0; rank < lists.size(); ++rank)
    if (at[rank] < lists[rank].size()) return true;
  return false;
}

bool settle_tags(MessageLists& lists) {
  // By sender and receiver: whether a receive takes any tag, and whether one does not.
  std::map<std::pair<uint32_t, uint32_t>, std::pair<bool, bool>> taken;
  for (uint32_t rank = 0; rank < lists.size(); ++rank)
    for (const MessageStep& s : lists[rank])
      if (s.kind == MessageStep::Kind::Receive)
        (s.tag == kAnyTag ? taken[{s.peer, rank}].first : taken[{s.peer, rank}].second) = true;
  for (uint32_t rank = 0; rank < lists.size(); ++rank)
    for (MessageStep& s : lists[rank]) {
      const bool sends = s.kind == MessageStep::Kind::Send;
      if (!sends && s.kind != MessageStep::Kind::Receive) continue;
      const auto of_pair = taken.find(sends ? std::pair(rank, s.peer) : std::pair(s.peer, rank));
      if (of_pair == taken.end() || !of_pair->second.first) continue;
      if (of_pair->second.second) return false;
      s.tag = 0;
    }
  return true;
}

MessageEnding put_together(const MessageLists& lists, bool buffers) { return Meeting(lists, buffers).run(); }

uint32_t waits_for(const MessageLists& lists, const MessageEnding& ending, uint32_t rank) {
  if (ending.at[rank] == lists[rank].size()) return rank;
  const MessageStep& s = lists[rank][ending.at[rank]];
  if (s.kind == MessageStep::Kind::Wait) return lists[rank][s.started].peer;
  // The first that is not at the same collective.
  for (uint32_t other = 0; other < lists.size(); ++other)
    if (ending.at[other] == lists[other].size() || lists[other][ending.at[other]].kind != s.kind ||
        lists[other][ending.at[other]].op != s.op)
      return other;
  return rank;
}

}  // namespace ranklint
