#include "runtime/group/watch/buffer_guard.h"

#include <algorithm>

#include "runtime/group/watch/fingerprint.h"

namespace ranklint::runtime {

static bool gives(const Call& call, int member) {
  if (call.op == OpType::Broadcast) return member == call.root;
  return call.op != OpType::Recv && call.op != OpType::NewGroup;
}

static bool reduces_in_place(const Call& call, int member) {
  return call.op == OpType::AllReduce || (call.op == OpType::Reduce && member == call.root);
}

// Of an operation that keeps its input: `in` and `out` are one tensor only where the caller does not write.
static bool is_written(const Call& call, const Tensor& in) {
  if (call.op == OpType::Broadcast || call.op == OpType::Reduce) return false;
  return std::any_of(call.out.begin(), call.out.end(), [&](const Tensor& out) { return in.shares_memory_with(out); });
}

bool BufferGuard::is_large_in_place(const Call& call, int member) {
  return reduces_in_place(call, member) && !is_staged(call.in.front().size_bytes());
}

BufferGuard::BufferGuard(const Call& call, int member, InPlace in_place) {
  if (!gives(call, member)) return;
  if (!reduces_in_place(call, member)) {
    for (const Tensor& in : call.in)
      if (!is_written(call, in)) watch(in);
    return;
  }
  if (in_place == InPlace::StageSmall && is_large_in_place(call, member)) return;
  watch(call.in.front());
  if (in_place != InPlace::Watch) staged_.push_back(call.in.front().clone());
}

void BufferGuard::watch(const Tensor& tensor) {
  watched_.push_back({tensor, fingerprint(tensor.data(), tensor.size_bytes())});
}

Call BufferGuard::guarded(const Call& call) const {
  Call other = call;
  if (!staged_.empty()) other.in = other.out = staged_;
  return other;
}

bool BufferGuard::unchanged() const {
  return std::all_of(watched_.begin(), watched_.end(), [](const Watched& each) {
    return fingerprint(each.tensor.data(), each.tensor.size_bytes()) == each.fingerprint;
  });
}

void BufferGuard::put_back() const {
  if (!staged_.empty()) watched_.front().tensor.copy_(staged_.front());
}

}  // namespace ranklint::runtime
