// Point-to-point operations of a ThreadGroup: blocking ones are a batch of one.
#include <algorithm>

#include "runtime/group/threads/copy_job.h"
#include "runtime/group/threads/messages_work.h"
#include "runtime/group/threads/pause.h"
#include "runtime/group/threads/thread_group.h"
#include "runtime/group/threads/thread_world.h"

namespace ranklint::runtime {

using Transfers = std::vector<std::shared_ptr<Transfer>>;

std::shared_ptr<Transfer> ThreadGroup::post_message(int member, const Call& call, bool alone) {
  auto transfer = std::make_shared<Transfer>(member, call, ++cursor(member).transfers);
  transfer->record = recorder(member).begin(info_.id, transfer->sequence, call, info_.global_rank(call.root));
  const bool sends = call.op == OpType::Send;
  Mailbox& mailbox = mailboxes_[static_cast<size_t>(transfer->to)];
  const bool ahead = alone && sends && !call.options.async && world_.runs_ahead(transfer->size_bytes);
  const std::shared_ptr<Transfer> other = sends ? mailbox.post_send(transfer, ahead) : mailbox.post_recv(transfer);
  if (!other) return transfer;
  if (transfer->disputed())
    world_.watchdog().note({.group = &info_, .entry = nullptr, .send = sends ? transfer : other,
                            .recv = sends ? other : transfer});
  world_.watchdog().wake(info_.seat(sends ? transfer->to : other->from));
  return transfer;
}

Transfers ThreadGroup::post_all(int member, std::span<const Call> calls) {
  Transfers transfers;
  transfers.reserve(calls.size());
  for (const Call& call : calls) transfers.push_back(post_message(member, call, calls.size() == 1));
  return transfers;
}

static bool is_ready(const Transfer& transfer) { return transfer.sent_ahead || transfer.ready(); }

static bool all_ready(std::span<const std::shared_ptr<Transfer>> transfers) {
  return std::all_of(transfers.begin(), transfers.end(), [](const auto& transfer) { return is_ready(*transfer); });
}

void ThreadGroup::send_ahead(std::span<const std::shared_ptr<Transfer>> transfers) {
  for (const auto& transfer : transfers)
    if (transfer->is_send() && !transfer->sent_ahead && world_.runs_ahead(transfer->size_bytes))
      mailboxes_[static_cast<size_t>(transfer->to)].send_ahead(*transfer);
}

void ThreadGroup::await(int member, std::span<const std::shared_ptr<Transfer>> transfers,
                        std::chrono::milliseconds timeout) {
  for (int spins = world_.patience(); spins > 0; --spins) {
    if (all_ready(transfers)) return;
    pause_or_yield(spins);
  }
  send_ahead(transfers);
  if (all_ready(transfers)) return;
  std::vector<WaitFor> waits;
  for (const auto& transfer : transfers)
    if (!transfer->sent_ahead)
      waits.push_back({.group = &info_, .member = member, .transfer = transfer.get()});
  Watchdog& watchdog = world_.watchdog();
  const Watchdog::Outcome outcome = watchdog.wait(info_.seat(member), waits, world_.deadline(timeout));
  if (outcome == Watchdog::Outcome::Ready) return;
  if (outcome == Watchdog::Outcome::TimedOut) watchdog.time_out(info_.seat(member), waits);
  // Nobody may touch this member's tensors once it has thrown: take back what nobody has met, see the rest through.
  for (const auto& transfer : transfers)
    if (!mailboxes_[static_cast<size_t>(transfer->to)].withdraw(*transfer) && transfer->ready())
      runtime::finish(*transfer, world_.patience());
  throw RankError(watchdog.error());
}

void ThreadGroup::finish(int member, std::span<const std::shared_ptr<Transfer>> transfers) {
  for (const auto& transfer : transfers) {
    recorder(member).started(transfer->record);
    if (!transfer->sent_ahead) runtime::finish(*transfer, world_.patience());
    recorder(member).completed(transfer->record);
  }
}

void ThreadGroup::exchange(int member, std::span<const Call> calls) {
  const Transfers transfers = post_all(member, calls);
  await(member, transfers, calls.front().options.timeout);
  finish(member, transfers);
}

std::shared_ptr<WorkState> ThreadGroup::start_exchange(int member, std::span<const Call> calls) {
  return std::make_shared<MessagesWork>(*this, member, calls.front().options.timeout, post_all(member, calls));
}

}  // namespace ranklint::runtime
