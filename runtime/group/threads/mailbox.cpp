#include "runtime/group/threads/mailbox.h"

#include <algorithm>

#include "runtime/group/collectives/kernels.h"
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
  if (slot.is_offered()) {
    send->data = slot.offer.data;
    return send;
  }
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

void Mailbox::announce() {
  receives_wait_.store(queue_.holds_receives(), std::memory_order_seq_cst);
  sends_wait_.store(queue_.holds_sends(), std::memory_order_release);
}

void Mailbox::bring_in(int from, Lane& lane, Pairs& joined) {
  for (; lane.has_next(); lane.pop()) {
    const End send = transfer_of(lane.next(), from, member_);
    End end = send;
    if (const std::optional<End> recv = queue_.meet(end)) {
      join(send, *recv);
      joined.push_back({send, *recv});
    }
    if (!lane.next().is_offered()) continue;
    brought_.push_back({from, lane.next().number.load(std::memory_order_relaxed), send});
    lane.next().offer.fate->store(Lane::Fate::BroughtIn, std::memory_order_release);
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

uint64_t Mailbox::push(int from, const Call& call, uint64_t sequence, std::atomic<Lane::Fate>* fate) {
  return lane_to_push(from).push(call, sequence, fate);
}

Mailbox::Pairs Mailbox::join_waiting() {
  std::atomic_thread_fence(std::memory_order_seq_cst);
  if (!receives_wait_.load(std::memory_order_seq_cst)) return {};
  const auto lock = lock_patiently(mutex_);
  Pairs joined;
  bring_in(joined);
  announce();
  return joined;
}

Mailbox::End Mailbox::take_over(int from, uint64_t number, Pairs& joined) {
  const auto lock = lock_patiently(mutex_);
  bring_in(joined);
  announce();
  const auto found = std::find_if(brought_.begin(), brought_.end(),
                                  [&](const Brought& each) { return each.from == from && each.number == number; });
  if (found == brought_.end()) return nullptr;
  End send = std::move(found->send);
  brought_.erase(found);
  return send;
}

bool Mailbox::may_hold(int from) const {
  const Lane* const some = lane(from);
  return (some && some->has_next()) || sends_wait_.load(std::memory_order_acquire);
}

bool Mailbox::pop(int from, const Call& call) {
  Lane* const some = lane(from);
  if (!some) return false;
  auto lock = lock_patiently(mutex_);
  if (!queue_.empty() || !some->has_next()) return false;
  const Lane::Slot& slot = some->next();
  const Tensor& tensor = call.out.front();
  const bool fits = slot.tag == call.tag && slot.dtype == tensor.dtype() && slot.size_bytes == tensor.size_bytes();
  if (!fits) return false;
  if (!slot.is_offered()) {
    tensor.assign({slot.bytes.data(), slot.size_bytes});
    some->pop();
    return true;
  }
  const Lane::Offer offer = slot.offer;
  some->pop();
  lock.unlock();
  copy_bytes(tensor.data(), offer.data, tensor.size_bytes(), passage_through(tensor.data(), tensor.size_bytes()));
  offer.fate->store(Lane::Fate::Copied, std::memory_order_release);
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

std::vector<Mailbox::End> Mailbox::unmet() {
  const auto lock = lock_patiently(mutex_);
  Pairs joined;
  bring_in(joined);
  std::vector<End> ends(queue_.sends().begin(), queue_.sends().end());
  ends.insert(ends.end(), queue_.receives().begin(), queue_.receives().end());
  return ends;
}

}  // namespace ranklint::runtime
