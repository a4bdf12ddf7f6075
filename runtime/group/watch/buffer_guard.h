// Notices when a tensor is changed while an asynchronous operation holds it.
//
// What the operation only reads (the root's tensor of a broadcast, every `in` that is not also `out`) must be the same at
// the wait as at the call: a fingerprint tells. A reduction in place writes where it reads; up to kStagedBytes it works
// on a copy that is put back at the wait, so the user's tensor must be the same until then. Beyond that size it is
// not watched. What an operation only writes is not watched either: nobody can say who wrote last.
#pragma once

#include <vector>

#include "runtime/group/call.h"

namespace ranklint::runtime {

class BufferGuard {
 public:
  static constexpr size_t kStagedBytes = size_t{1} << 20;

  BufferGuard() = default;
  // `member`: the caller's place in the group.
  BufferGuard(const Call& call, int member);

  // The call to make instead, for as long as this object lives.
  Call guarded(const Call& call) const;
  bool unchanged() const;
  void put_back() const;  // after the operation

 private:
  struct Watched {
    Tensor tensor;
    uint64_t fingerprint;
  };
  void watch(const Tensor& tensor);

  std::vector<Watched> watched_;
  std::vector<Tensor> staged_;  // none, or the one that stands for the user's
};

}  // namespace ranklint::runtime
