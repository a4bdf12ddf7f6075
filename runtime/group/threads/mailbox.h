// Where messages to one member of a group meet the receives that it has posted: matched by (source, tag) in the order of
// their coming, non-overtaking.
#pragma once

#include <deque>
#include <memory>
#include <mutex>

#include "runtime/group/threads/copy_job.h"

namespace ranklint::runtime {

class Mailbox {
 public:
  // Joins `send` with the first receive that fits and returns that, or leaves it and returns null. A send with
  // `may_run_ahead` that finds none is copied away and complete.
  std::shared_ptr<Transfer> post_send(const std::shared_ptr<Transfer>& send, bool may_run_ahead);
  std::shared_ptr<Transfer> post_recv(const std::shared_ptr<Transfer>& recv);
  // Completes a send that has no receiver yet by copying it away.
  void send_ahead(Transfer& send);
  // False when it has been matched meanwhile.
  bool withdraw(const Transfer& transfer);

 private:
  using Queue = std::deque<std::shared_ptr<Transfer>>;

  std::mutex mutex_;
  Queue sends_, recvs_;
};

}  // namespace ranklint::runtime
