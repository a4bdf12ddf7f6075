// Notices when a tensor is changed while an asynchronous operation holds it.
//
// What the operation only reads (the root's tensor of a broadcast, every `in` that is not also `out`) must be the same
// at the wait as at the call: a fingerprint tells. A reduction in place writes where it reads; where that may happen
// before the wait it works on a copy that is put back then, so the user's tensor must be the same until then. What an
// operation only writes is not watched: nobody can say who wrote last.
#pragma once

#include <vector>

#include "runtime/group/call.h"

namespace ranklint::runtime {

class BufferGuard {
 public:
  // What is done about a reduction in place.
  enum class InPlace : uint8_t {
    Watch,  // nothing is written before the wait: it is watched as any other input
    Stage,
    StageSmall,  // up to kStagedBytes; whoever makes a larger one looks after it (threads/parts_guard.h)
  };
  static constexpr size_t kStagedBytes = size_t{1} << 20;
  static bool is_staged(size_t size_bytes) { return size_bytes <= kStagedBytes; }

  BufferGuard() = default;
  // `member`: the caller's place in the group.
  BufferGuard(const Call& call, int member, InPlace in_place);

  // The call to make instead, for as long as this object lives.
  Call guarded(const Call& call) const;
  bool unchanged() const;
  void put_back() const;  // after the operation

  // Of a call that StageSmall leaves alone.
  static bool is_large_in_place(const Call& call, int member);

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
