// Point-to-point messages of a group, as one of its members, a process, sees them. The receiver matches them
// (watch/message_queue.h).
//
// A small send in Mode::Relaxed goes with its letter and is complete. Any other waits: the receiver answers with a
// `Fetch` once a receive fits, and then the bytes follow as bulk.
#pragma once

#include <memory>
#include <vector>

#include "runtime/group/watch/message_queue.h"

namespace ranklint::runtime {

// This rank's end of a message.
struct Message {
  uint64_t id = 0;
  std::shared_ptr<Transfer> facts;  // what the watchdog's code looks at; keeps the tensor
  size_t open = 0;                  // bulk under way
  bool announced = false;           // the bulk of a receive has begun, or none is needed
  bool ran_ahead = false;           // a send that is complete

  bool is_send() const { return facts->signature.op == OpType::Send; }
  bool met() const { return ran_ahead || facts->ready(); }
  bool moved() const { return met() && (is_send() || announced) && open == 0; }
};

// A send whose letter has come and that no receive fits yet.
struct ArrivedSend {
  uint64_t id = 0;  // the sender's
  std::shared_ptr<Transfer> facts;
  bool ran_ahead = false;
  std::vector<std::byte> bytes;  // of one that ran ahead
};

inline const Transfer& facts_of(const ArrivedSend& send) { return *send.facts; }
inline const Transfer& facts_of(const std::shared_ptr<Message>& receive) { return *receive->facts; }

struct MessageBox {
  uint64_t last_id = 0;
  MessageQueue<ArrivedSend, std::shared_ptr<Message>> queue;
  std::vector<std::shared_ptr<Message>> under_way;  // matched receives, and sends that wait
};

}  // namespace ranklint::runtime
