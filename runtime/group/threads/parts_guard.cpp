#include "runtime/group/threads/parts_guard.h"

#include "runtime/group/collectives/operations.h"
#include "runtime/group/watch/fingerprint.h"

namespace ranklint::runtime {

PartsGuard::PartsGuard(const Tensor& tensor, size_t members) : tensor_(tensor), before_(members), after_(members) {
  for (size_t part = 0; part < members; ++part) before_[part] = now(part);
}

uint64_t PartsGuard::now(size_t part) const {
  const ByteRange range = part_of(tensor_.size_bytes(), part, before_.size());
  return fingerprint(tensor_.data() + range.begin, range.size);
}

void PartsGuard::taken_up(size_t part) {
  if (now(part) != before_[part]) changed_.store(true, std::memory_order_release);
}

void PartsGuard::left(size_t part) { after_[part] = now(part); }

}  // namespace ranklint::runtime
