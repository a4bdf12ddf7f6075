// Notices when a tensor is changed while a large asynchronous reduction in place holds it.
//
// Such a reduction writes where it reads, part by part, at any time between the call and the wait, and on whichever
// thread has time. So each part is looked at when it is taken up, to be as it was at the call, and at the wait, to be
// as it was left. A fingerprint stands for a part.
#pragma once

#include <atomic>
#include <vector>

#include "runtime/group/collectives/posting.h"

namespace ranklint::runtime {

class PartsGuard {
 public:
  // As many parts as the group has members.
  PartsGuard(const Tensor& tensor, size_t members);

  // By whoever carries out the part, before and after.
  void taken_up(size_t part);
  void left(size_t part);

  bool was_changed() const { return changed_.load(std::memory_order_acquire); }
  // Of a part that has been left.
  bool is_as_left(size_t part) const { return now(part) == after_[part]; }

 private:
  uint64_t now(size_t part) const;

  Tensor tensor_;
  std::vector<uint64_t> before_, after_;
  std::atomic<bool> changed_{false};
};

}  // namespace ranklint::runtime
