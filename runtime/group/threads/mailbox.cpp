#include "runtime/group/threads/mailbox.h"

#include "runtime/group/threads/pause.h"

namespace ranklint::runtime {

namespace {

void join(const Mailbox::End& send, const Mailbox::End& recv) {
  const bool fits = transfer_difference(send->signature, recv->signature).empty();
  if (fits) {
    const std::byte* from = send->sent_ahead ? send->sent_ahead->data() : send->data;
    recv->job = std::make_shared<CopyJob>(recv->data, from, recv->size_bytes,
                                          CopyJob::Keep{send->sent_ahead, send->tensor, recv->tensor});
    send->job = recv->job;
  }
  const Transfer::Met met = fits ? Transfer::Met::Fits : Transfer::Met::Disputed;
  send->met.store(met, std::memory_order_seq_cst);
  recv->met.store(met, std::memory_order_seq_cst);
}

void copy_away(Transfer& send) {
  send.sent_ahead = std::make_shared<std::vector<std::byte>>(send.data, send.data + send.size_bytes);
}

Mailbox::End transfer_of(const Lane::Slot& slot, int from, int to) {
  auto send = std::make_shared<Transfer>();
  send->signature = slot.signature;
  send->from = from;
  send->to = to;
  send->sequence = slot.sequence;
  send->size_bytes = slot.size_bytes;
  send->sent_ahead = std::make_shared<std::vector<std::byte>>(slot.bytes.begin(), slot.bytes.begin() + slot.size_bytes);
  return send;
}

}  // namespace

Mailbox::Mailbox(int member, size_t members) : member_(member), lanes_(members), made_(members) {}

Lane& Mailbox::lane_to_push(int from) {
  if (Lane* const there = lane(from)) return *there;
  std::unique_ptr<Lane>& made = made_[static_cast<size_t>(from)];
  made = std::make_unique<Lane>();
  lanes_[static_cast<size_t>(from)].store(made.get(), std::memory_order_seq_cst);
  return *made;
}

void Mailbox::announce() { receives_wait_.store(queue_.holds_receives(), std::memory_order_seq_cst); }

void Mailbox::bring_in(int from, Lane& lane, Pairs& joined) {
  for (; lane.has_next(); lane.pop()) {
    End send = transfer_of(lane.next(), from, member_);
    if (const std::optional<End> recv = queue_.meet(send)) {
      join(send, *recv);
      joined.push_back({send, *recv});
    }
  }
}

void Mailbox::bring_in(Pairs& joined) {
  for (size_t from = 0; from < lanes_.size(); ++from)
    if (Lane* const some = lane(static_cast<int>(from))) bring_in(static_cast<int>(from), *some, joined);
}

Mailbox::Pairs Mailbox::post_send(const End& send, bool may_run_ahead) {
  const auto lock = lock_patiently(mutex_);
  Pairs joined;
  bring_in(joined);
  End end = send;
  if (const std::optional<End> recv = queue_.meet(end)) {
    join(send, *recv);
    joined.push_back({send, *recv});
  } else if (may_run_ahead) {
    copy_away(*send);
  }
  announce();
  return joined;
}

Mailbox::Pairs Mailbox::post_recv(const End& recv) {
  const auto lock = lock_patiently(mutex_);
  Pairs joined;
  bring_in(joined);
  End end = recv;
  if (const std::optional<End> send = queue_.answer(end)) {
    join(*send, recv);
    joined.push_back({*send, recv});
  }
  announce();
  if (queue_.holds_receives()) bring_in(joined);
  announce();
  return joined;
}

bool Mailbox::push(int from, const Call& call, uint64_t sequence, Pairs& joined) {
  if (!lane_to_push(from).push(call, sequence)) return false;
  if (!receives_wait_.load(std::memory_order_seq_cst)) return true;
  const auto lock = lock_patiently(mutex_);
  bring_in(joined);
  announce();
  return true;
}

bool Mailbox::may_hold(int from) const {
  const Lane* const some = lane(from);
  return some && some->has_next();
}

bool Mailbox::pop(int from, const Call& call) {
  Lane* const some = lane(from);
  if (!some) return false;
  const auto lock = lock_patiently(mutex_);
  if (!queue_.empty() || !some->has_next()) return false;
  const Lane::Slot& slot = some->next();
  const Tensor& tensor = call.out.front();
  const bool fits = slot.tag == call.tag && slot.terms.dtype == tensor.dtype() && slot.size_bytes == tensor.size_bytes();
  if (!fits) return false;
  tensor.assign({slot.bytes.data(), slot.size_bytes});
  some->pop();
  return true;
}

void Mailbox::send_ahead(Transfer& send) {
  const auto lock = lock_patiently(mutex_);
  if (send.met.load(std::memory_order_relaxed) == Transfer::Met::No) copy_away(send);
}

bool Mailbox::withdraw(const Transfer& transfer) {
  const auto lock = lock_patiently(mutex_);
  const bool withdrawn = queue_.withdraw(transfer);
  announce();
  return withdrawn;
}

}  // namespace ranklint::runtime
