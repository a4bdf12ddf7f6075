#include "runtime/group/watch/transfer.h"

#include "runtime/group/watch/fingerprint.h"

namespace ranklint::runtime {

Transfer::Transfer(int member, const Call& call, uint64_t k)
    : signature(signature_of(call)), name(call.options.name), implicit_in(call.options.implicit_in), sequence(k) {
  signature.name = name;
  signature.implicit_in = implicit_in;
  from = is_send() ? member : call.root;
  to = is_send() ? call.root : member;
  const Tensor& subject = is_send() ? call.in.front() : call.out.front();
  data = subject.data();
  size_bytes = subject.size_bytes();
  if (!call.options.async) return;
  tensor = subject;
  if (is_send()) fingerprint = runtime::fingerprint(data, size_bytes);
}

bool was_changed(const Transfer& send) {
  return send.is_send() && runtime::fingerprint(send.data, send.size_bytes) != send.fingerprint;
}

Call call_of(const Transfer& send) {
  return {.op = OpType::Send,
          .in = {&send.tensor, 1},
          .root = send.to,
          .tag = send.signature.tag,
          .options = {},
          .site = send.signature.site};
}

bool may_meet(const Transfer& send, const Transfer& recv) {
  return send.signature.tag == recv.signature.tag && (recv.from == kAnySource || recv.from == send.from);
}

}  // namespace ranklint::runtime
