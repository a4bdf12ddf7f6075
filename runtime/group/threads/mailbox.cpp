#include "runtime/group/threads/mailbox.h"

#include <algorithm>

#include "runtime/group/threads/pause.h"

namespace ranklint::runtime {

namespace {

void join(const std::shared_ptr<Transfer>& send, const std::shared_ptr<Transfer>& recv) {
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

}  // namespace

std::shared_ptr<Transfer> Mailbox::post_send(const std::shared_ptr<Transfer>& send, bool may_run_ahead) {
  const auto lock = lock_patiently(mutex_);
  const auto found = std::find_if(recvs_.begin(), recvs_.end(), [&](const auto& recv) { return may_meet(*send, *recv); });
  if (found == recvs_.end()) {
    if (may_run_ahead) copy_away(*send);
    sends_.push_back(send);
    return nullptr;
  }
  std::shared_ptr<Transfer> recv = *found;
  recvs_.erase(found);
  join(send, recv);
  return recv;
}

std::shared_ptr<Transfer> Mailbox::post_recv(const std::shared_ptr<Transfer>& recv) {
  const auto lock = lock_patiently(mutex_);
  const auto found = std::find_if(sends_.begin(), sends_.end(), [&](const auto& send) { return may_meet(*send, *recv); });
  if (found == sends_.end()) {
    recvs_.push_back(recv);
    return nullptr;
  }
  std::shared_ptr<Transfer> send = *found;
  sends_.erase(found);
  join(send, recv);
  return send;
}

void Mailbox::send_ahead(Transfer& send) {
  const auto lock = lock_patiently(mutex_);
  if (send.met.load(std::memory_order_relaxed) == Transfer::Met::No) copy_away(send);
}

bool Mailbox::withdraw(const Transfer& transfer) {
  const auto lock = lock_patiently(mutex_);
  const auto same = [&](const auto& other) { return other.get() == &transfer; };
  return std::erase_if(sends_, same) + std::erase_if(recvs_, same) > 0;
}

}  // namespace ranklint::runtime
