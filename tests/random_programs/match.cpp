// A collective is over when all members of its group stand at the same one. A rank posts a transfer when it reaches it,
// and the transfer is over when the other end has posted as many between the two under its tag: messages do not
// overtake each other. No receive takes a message from an arbitrary source, so the order in which ranks move changes
// nothing. A rank that is left when nothing moves waits forever.
#include "tests/random_programs/match.h"

#include <map>
#include <tuple>

namespace ranklint::random_programs {

Coordinates coordinates(const Mesh& mesh, int rank) {
  const int fast = mesh.tp_is_fastest ? mesh.tp : mesh.dp;
  const int slow = mesh.tp_is_fastest ? mesh.dp : mesh.tp;
  const int a = rank % fast, b = rank / fast % slow;
  return {rank, mesh.tp_is_fastest ? a : b, mesh.tp_is_fastest ? b : a, rank / (fast * slow)};
}

namespace {

bool share_group(const Mesh& mesh, Axis axis, int x, int y) {
  if (axis == Axis::World) return true;
  const Coordinates a = coordinates(mesh, x), b = coordinates(mesh, y);
  return a.outer == b.outer && (axis == Axis::Tp ? a.dp == b.dp : a.tp == b.tp);
}

struct Channel {
  size_t sent = 0, received = 0;  // posted so far
};

class Match {
 public:
  Match(const Mesh& mesh, const std::vector<std::vector<Issued>>& lists, Sends sends)
      : mesh_(mesh), lists_(lists), sends_(sends), at_(lists.size()), turns_(lists.size()) {}

  Ending run() {
    for (bool moved = true; moved;) {
      moved = false;
      for (size_t rank = 0; rank < lists_.size(); ++rank)
        while (at_[rank] < lists_[rank].size() && advance(rank)) moved = true;
    }
    Ending ending;
    for (size_t rank = 0; rank < lists_.size(); ++rank) ending.stuck = ending.stuck || at_[rank] < lists_[rank].size();
    for (const auto& [ends, both] : channels_)
      ending.leaves_messages = ending.leaves_messages || both.sent > both.received;
    bool sends = false, receives = false;
    for (const auto& list : lists_)
      for (const Issued& one : list)
        (one.kind == Issued::Kind::Send ? sends : receives) |=
            one.kind == Issued::Kind::Send || one.kind == Issued::Kind::Receive;
    ending.both_ways = sends && receives;
    return ending;
  }

 private:
  bool advance(size_t rank) {
    const Issued& mine = lists_[rank][at_[rank]];
    switch (mine.kind) {
      case Issued::Kind::Collective: return meet(rank, mine);
      case Issued::Kind::Send:
      case Issued::Kind::Receive: turns_[rank][at_[rank]] = count(rank, mine)++; break;
      case Issued::Kind::Wait:
        if (!is_over(rank, mine.started)) return false;
        break;
    }
    ++at_[rank];
    return true;
  }

  Channel& channel(size_t rank, const Issued& transfer) {
    const auto here = static_cast<int>(rank);
    const bool sends = transfer.kind == Issued::Kind::Send;
    return channels_[{sends ? here : transfer.peer, sends ? transfer.peer : here, transfer.tag}];
  }
  size_t& count(size_t rank, const Issued& transfer) {
    return transfer.kind == Issued::Kind::Send ? channel(rank, transfer).sent : channel(rank, transfer).received;
  }

  bool is_over(size_t rank, size_t started) {
    const Issued& transfer = lists_[rank][started];
    const bool sent = transfer.kind == Issued::Kind::Send;
    if (sent && sends_ == Sends::Buffered) return true;
    const Channel& both = channel(rank, transfer);
    return turns_[rank].at(started) < (sent ? both.received : both.sent);
  }

  bool meet(size_t rank, const Issued& mine) {
    std::vector<size_t> members;
    for (size_t other = 0; other < lists_.size(); ++other)
      if (share_group(mesh_, mine.axis, static_cast<int>(rank), static_cast<int>(other))) members.push_back(other);
    for (const size_t other : members) {
      if (at_[other] == lists_[other].size()) return false;
      const Issued& theirs = lists_[other][at_[other]];
      if (theirs.kind != mine.kind || theirs.axis != mine.axis || theirs.op != mine.op) return false;
    }
    for (const size_t other : members) ++at_[other];
    return true;
  }

  const Mesh& mesh_;
  const std::vector<std::vector<Issued>>& lists_;
  const Sends sends_;
  std::vector<size_t> at_;
  std::vector<std::map<size_t, size_t>> turns_;  // per rank: which of its channel's a transfer is
  std::map<std::tuple<int, int, int>, Channel> channels_;
};

}  // namespace

Ending ending_of(const Mesh& mesh, const std::vector<std::vector<Issued>>& lists, Sends sends) {
  return Match(mesh, lists, sends).run();
}

}  // namespace ranklint::random_programs
