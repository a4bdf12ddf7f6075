// Point-to-point operations of a ThreadGroup: blocking ones are a batch of one.
#include <algorithm>
#include <utility>

#include "runtime/group/threads/copy_job.h"
#include "runtime/group/threads/messages_work.h"
#include "runtime/group/threads/pause.h"
#include "runtime/group/threads/thread_group.h"
#include "runtime/group/threads/thread_world.h"

namespace ranklint::runtime {

using Transfers = std::vector<std::shared_ptr<Transfer>>;

void ThreadGroup::tell(std::span<const Mailbox::Pair> joined) {
  for (const auto& [send, recv] : joined) {
    if (send->disputed()) world_.watchdog().note({.group = &info_, .entry = nullptr, .send = send, .recv = recv});
    world_.watchdog().wake(info_.seat(send->from));
    world_.watchdog().wake(info_.seat(recv->to));
  }
}

std::shared_ptr<Transfer> ThreadGroup::post_message(int member, const Call& call, uint64_t sequence, bool alone) {
  auto transfer = std::make_shared<Transfer>(member, call, sequence);
  transfer->record = recorder(member).begin(info_.id, sequence, call, info_.global_rank(call.root));
  Mailbox& box = mailbox(transfer->to);
  const bool ahead = alone && transfer->is_send() && !call.options.async && world_.runs_ahead(transfer->size_bytes);
  tell(transfer->is_send() ? box.post_send(transfer, ahead) : box.post_recv(transfer));
  return transfer;
}

Transfers ThreadGroup::post_all(int member, std::span<const Call> calls) {
  Transfers transfers;
  transfers.reserve(calls.size());
  for (const Call& call : calls)
    transfers.push_back(post_message(member, call, ++cursor(member).transfers, calls.size() == 1));
  return transfers;
}

static bool is_ready(const Transfer& transfer) { return transfer.sent_ahead || transfer.ready(); }

static bool all_ready(std::span<const std::shared_ptr<Transfer>> transfers) {
  return std::all_of(transfers.begin(), transfers.end(), [](const auto& transfer) { return is_ready(*transfer); });
}

void ThreadGroup::send_ahead(std::span<const std::shared_ptr<Transfer>> transfers) {
  for (const auto& transfer : transfers)
    if (transfer->is_send() && !transfer->sent_ahead && world_.runs_ahead(transfer->size_bytes))
      mailbox(transfer->to).send_ahead(*transfer);
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
    if (!mailbox(transfer->to).withdraw(*transfer) && transfer->ready())
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

// Of a message whose bytes may lie in a lane, and whose name need not be kept.
bool ThreadGroup::is_small(const Call& call) const {
  const size_t size_bytes = (call.op == OpType::Send ? call.in : call.out).front().size_bytes();
  return size_bytes <= Lane::kBytes && world_.runs_ahead(size_bytes) && call.options.name.empty() &&
         call.options.implicit_in.empty() && call.root != kAnySource;
}

bool ThreadGroup::receive_small(int member, const Call& call) {
  Mailbox& box = mailbox(member);
  for (int spins = world_.patience(); !box.may_hold(call.root); --spins) {
    if (spins <= 0) return false;
    pause_or_yield(spins);
  }
  return box.pop(call.root, call);
}

// A small message, past all queues: false when it has to go through them.
bool ThreadGroup::exchange_at_once(int member, const Call& call, uint64_t sequence) {
  Mailbox::Pairs joined;
  const bool done = call.op == OpType::Send ? mailbox(call.root).push(member, call, sequence, joined) : receive_small(member, call);
  tell(joined);
  if (done) recorder(member).completed(recorder(member).begin(info_.id, sequence, call, info_.global_rank(call.root)));
  return done;
}

// All small: the sends first, since whoever waits for a receive keeps others from theirs.
void ThreadGroup::exchange(int member, std::span<const Call> calls) {
  Transfers transfers;
  if (std::all_of(calls.begin(), calls.end(), [this](const Call& call) { return is_small(call); })) {
    const uint64_t before = std::exchange(cursor(member).transfers, cursor(member).transfers + calls.size());
    for (const OpType op : {OpType::Send, OpType::Recv})
      for (size_t i = 0; i < calls.size(); ++i)
        if (calls[i].op == op && !exchange_at_once(member, calls[i], before + i + 1))
          transfers.push_back(post_message(member, calls[i], before + i + 1, calls.size() == 1));
  } else {
    transfers = post_all(member, calls);
  }
  if (transfers.empty()) return;
  await(member, transfers, calls.front().options.timeout);
  finish(member, transfers);
}

std::shared_ptr<WorkState> ThreadGroup::start_exchange(int member, std::span<const Call> calls) {
  return std::make_shared<MessagesWork>(*this, member, calls.front().options.timeout, post_all(member, calls));
}

}  // namespace ranklint::runtime
