// Point-to-point operations of a ThreadGroup: blocking ones are a batch of one.
#include <algorithm>
#include <array>
#include <thread>
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

bool ThreadGroup::is_ready(std::span<const std::shared_ptr<Transfer>> transfers) {
  if (!all_ready(transfers)) send_ahead(transfers);
  return all_ready(transfers);
}

std::vector<WaitFor> ThreadGroup::waits_for(int member, std::span<const std::shared_ptr<Transfer>> transfers) const {
  std::vector<WaitFor> waits;
  for (const auto& transfer : transfers)
    if (!transfer->sent_ahead) waits.push_back({.group = &info_, .member = member, .transfer = transfer.get()});
  return waits;
}

bool ThreadGroup::never_ends(int member, std::span<const std::shared_ptr<Transfer>> transfers) const {
  return world_.watchdog().never_ends(waits_for(member, transfers));
}

void ThreadGroup::await(int member, std::span<const std::shared_ptr<Transfer>> transfers,
                        std::chrono::milliseconds timeout) {
  for (int spins = world_.patience(); spins > 0; --spins) {
    if (all_ready(transfers)) return;
    pause_or_yield(spins);
  }
  if (is_ready(transfers)) return;
  const std::vector<WaitFor> waits = waits_for(member, transfers);
  Watchdog& watchdog = world_.watchdog();
  const Watchdog::Outcome outcome = watchdog.wait(info_.seat(member), waits, world_.deadline(timeout));
  if (outcome == Watchdog::Outcome::Ready) return;
  if (outcome == Watchdog::Outcome::TimedOut) watchdog.time_out(info_.seat(member), waits);
  // Nobody may touch this member's tensors once it has thrown: take back what nobody has met, see the rest through.
  for (const auto& transfer : transfers)
    if (!mailbox(transfer->to).withdraw(*transfer) && transfer->ready()) runtime::finish(*transfer, world_.patience());
  throw RankError(watchdog.error());
}

void ThreadGroup::finish(int member, std::span<const std::shared_ptr<Transfer>> transfers) {
  for (const auto& transfer : transfers) {
    recorder(member).started(transfer->record);
    if (!transfer->sent_ahead) runtime::finish(*transfer, world_.patience());
    recorder(member).completed(transfer->record);
  }
}

// Messages of more, between one who only sends and one who only receives, are copied by both, a chunk at a time
// (copy_job.h). In a batch of sends and receives each rank has something to copy.
static constexpr size_t kMostOffered = size_t{256} << 10;

enum class ThreadGroup::Batch : uint8_t { Alone, OneWay, BothWays };

ThreadGroup::Batch ThreadGroup::kind_of(std::span<const Call> calls) {
  if (calls.size() == 1) return Batch::Alone;
  const bool one_way =
      std::all_of(calls.begin(), calls.end(), [&](const Call& call) { return call.op == calls.front().op; });
  return one_way ? Batch::OneWay : Batch::BothWays;
}

struct ThreadGroup::Offers {
  struct Made {
    std::atomic<Lane::Fate> fate{Lane::Fate::Offered};
    int to = 0;
    uint64_t number = 0, record = 0;
  };
  std::array<Made, 4> made;
  size_t count = 0;
};

static size_t size_of(const Call& call) { return (call.op == OpType::Send ? call.in : call.out).front().size_bytes(); }

// Up to what size bytes lie in the lane, and so are copied twice. Who both sends and receives waits for the other
// anyway.
static size_t most_in_lane(bool both_ways) { return both_ways ? Lane::kBytes / 2 : Lane::kBytes; }

// Its bytes lie in the lane: the send is complete at once.
bool ThreadGroup::is_small(const Call& call, Batch batch) const {
  return size_of(call) <= most_in_lane(batch == Batch::BothWays) && world_.runs_ahead(size_of(call));
}

// One without a name that would have to be kept. A send by itself that may complete before its receive is not offered:
// it would have to wait.
bool ThreadGroup::fits_lane(const Call& call, Batch batch) const {
  const bool plain = call.options.name.empty() && call.options.implicit_in.empty() && call.root != kAnySource;
  const bool waits = batch != Batch::Alone || !world_.runs_ahead(size_of(call));
  const bool one_copies = batch == Batch::BothWays || size_of(call) <= kMostOffered;
  return plain && (is_small(call, batch) || (waits && one_copies));
}

bool ThreadGroup::receive_small(int member, const Call& call) {
  Mailbox& box = mailbox(member);
  for (int spins = world_.patience(); !box.may_hold(call.root); --spins) {
    if (spins <= 0) return false;
    pause_or_yield(spins);
  }
  return box.pop(call.root, call);
}

bool ThreadGroup::send_at_once(int member, const Call& call, Batch batch, uint64_t sequence, Offers& offers) {
  Mailbox& box = mailbox(call.root);
  if (is_small(call, batch)) return box.push(member, call, sequence) != 0;
  if (offers.count == offers.made.size()) return false;
  Offers::Made& offer = offers.made[offers.count];
  offer.to = call.root;
  offer.number = box.push(member, call, sequence, &offer.fate);
  if (offer.number != 0) ++offers.count;
  return offer.number != 0;
}

// A message past all queues: false when it has to go through them.
bool ThreadGroup::exchange_at_once(int member, const Call& call, Batch batch, uint64_t sequence, Offers& offers) {
  const size_t offered = offers.count;
  const bool done =
      call.op == OpType::Send ? send_at_once(member, call, batch, sequence, offers) : receive_small(member, call);
  if (!done) return false;
  const uint64_t now = now_ticks();
  const uint64_t record = recorder(member).begin(info_.id, sequence, call, info_.global_rank(call.root), now);
  if (offers.count > offered)
    offers.made[offered].record = record;
  else
    recorder(member).completed(record, now);
  if (call.op == OpType::Send) tell(mailbox(call.root).join_waiting());
  return true;
}

// Until what has been offered is copied; what has to be waited for under the watchdog's eye is added to `transfers`.
void ThreadGroup::see_through(int member, Offers& offers, Transfers& transfers) {
  for (Offers::Made& offer : std::span(offers.made).first(offers.count)) {
    const auto is = [&](Lane::Fate fate) { return offer.fate.load(std::memory_order_acquire) == fate; };
    for (int spins = world_.patience(); spins > 0 && is(Lane::Fate::Offered); --spins) pause_or_yield(spins);
    Mailbox::Pairs joined;
    Mailbox::End send = is(Lane::Fate::Copied) ? nullptr : mailbox(offer.to).take_over(member, offer.number, joined);
    tell(joined);
    if (send) {
      send->record = offer.record;
      transfers.push_back(std::move(send));
      continue;
    }
    while (!is(Lane::Fate::Copied)) std::this_thread::yield();  // the receiver is at it
    recorder(member).completed(offer.record);
  }
}

// The sends first, since whoever waits for a receive keeps others from theirs. Returns what has to be waited for.
Transfers ThreadGroup::exchange_in_lanes(int member, std::span<const Call> calls, Batch batch) {
  Transfers transfers;
  Offers offers;
  const uint64_t before = std::exchange(cursor(member).transfers, cursor(member).transfers + calls.size());
  for (const OpType op : {OpType::Send, OpType::Recv})
    for (size_t i = 0; i < calls.size(); ++i)
      if (calls[i].op == op && !exchange_at_once(member, calls[i], batch, before + i + 1, offers))
        transfers.push_back(post_message(member, calls[i], before + i + 1, calls.size() == 1));
  see_through(member, offers, transfers);
  return transfers;
}

void ThreadGroup::exchange(int member, std::span<const Call> calls) {
  const Batch batch = kind_of(calls);
  const bool in_lanes =
      std::all_of(calls.begin(), calls.end(), [&](const Call& call) { return fits_lane(call, batch); });
  const Transfers transfers = in_lanes ? exchange_in_lanes(member, calls, batch) : post_all(member, calls);
  if (transfers.empty()) return;
  await(member, transfers, calls.front().options.timeout);
  finish(member, transfers);
}

std::shared_ptr<WorkState> ThreadGroup::start_exchange(int member, std::span<const Call> calls) {
  return std::make_shared<MessagesWork>(*this, member, calls.front().options.timeout, post_all(member, calls));
}

}  // namespace ranklint::runtime
