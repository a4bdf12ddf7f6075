// Where messages to one member of a group meet the receives that it has posted (watch/message_queue.h). Messages that
// are small, or for which the sender waits, lie in lanes before they come here: one lane per source, made when it is
// first used.
//
// Two ways lead past the lock: a sender pushes into its lane, a receiver finds there what it asks for. They stay in
// order with everything else since whoever takes the lock first brings the lanes' messages in, and since a receive that
// waits is announced: a sender looks at that after it has pushed, the receiver at the lanes after it has announced
// itself (Dekker's order), so at least one of them brings the message in, and before its call returns.
#pragma once

#include <memory>
#include <mutex>
#include <vector>

#include "runtime/group/threads/copy_job.h"
#include "runtime/group/threads/lane.h"
#include "runtime/group/watch/message_queue.h"

namespace ranklint::runtime {

class Mailbox {
 public:
  using End = std::shared_ptr<Transfer>;
  struct Pair {
    End send, recv;
  };
  using Pairs = std::vector<Pair>;

  Mailbox(int member, size_t members);

  // Joins an end with the first that fits, or leaves it. Returns all that have been joined now; small messages that
  // have been brought in may be among them. A send with `may_run_ahead` that finds no receive is copied away and
  // complete.
  Pairs post_send(const End& send, bool may_run_ahead);
  Pairs post_recv(const End& recv);

  // A send through the lane: its number there, 0 when the lane is full. It is complete at once, or, with a fate, when
  // that says so. Unless it is 0 to be followed, before the sender waits for anything, by join_waiting; in between is
  // time for what takes no longer than the receiver needs to give up the line that it looks at.
  uint64_t push(int from, const Call& call, uint64_t sequence, std::atomic<Lane::Fate>* fate = nullptr);
  // Joins what has been pushed with receives that wait, and returns as above.
  Pairs join_waiting();
  // The offered message as an end that can be waited for, brought in now if it was not; null when the receiver has
  // taken it and is copying.
  End take_over(int from, uint64_t number, Pairs& joined);
  // The first message from there, if a receive that asks for it now may have it and it has come.
  bool pop(int from, const Call& call);
  bool may_hold(int from) const;  // worth a pop, or a look into the mailbox

  // Completes a send that has no receiver yet by copying it away.
  void send_ahead(Transfer& send);
  // False when it has been matched meanwhile.
  bool withdraw(const Transfer& transfer);
  // What nobody has met: sends to this member, its receives.
  std::vector<End> unmet();

 private:
  Lane* lane(int from) const { return lanes_[static_cast<size_t>(from)].load(std::memory_order_seq_cst); }
  Lane& lane_to_push(int from);
  void announce();
  void bring_in(Pairs& joined);
  void bring_in(int from, Lane& lane, Pairs& joined);

  int member_;
  // What senders read at every message lies apart from what the receiver writes at each:
  std::vector<std::atomic<Lane*>> lanes_;  // by source; each is its sender's to make
  std::vector<std::unique_ptr<Lane>> made_;
  std::atomic<bool> receives_wait_{false}, sends_wait_{false};
  alignas(128) std::mutex mutex_;
  MessageQueue<End, End> queue_;
  struct Brought {
    int from;
    uint64_t number;
    End send;
  };
  std::vector<Brought> brought_;  // offered messages that have been brought in and not been taken over
};

}  // namespace ranklint::runtime
