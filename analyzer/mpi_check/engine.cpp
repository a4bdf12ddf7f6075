// Runs a world: each rank until it waits, then what belongs together, again and again.
#include <algorithm>

#include "analyzer/mpi_check/call.h"
#include "analyzer/mpi_check/races.h"

namespace ranklint::mpi_check {

namespace {

constexpr uint64_t kMostStepsOfRank = 1'000'000;  // of one rank
constexpr size_t kMostOperations = 200'000;
constexpr uint32_t kIdleTurns = 400;  // of a rank that polls while no other rank does anything

bool tag_fits(const Operation& send, const Operation& receive) {
  return receive.tag == kAnyTag || receive.tag == send.tag;
}

bool fits(const Operation& send, const Operation& receive) {
  return send.channel == receive.channel && send.peer_rank == receive.rank &&
         (receive.peer_rank < 0 || receive.peer_rank == send.rank) && tag_fits(send, receive) &&
         send.is_partitioned == receive.is_partitioned;
}

// Messages do not overtake: the first send of this rank that fits.
std::optional<uint32_t> first_send(World& world, const Operation& receive, int64_t from) {
  const auto found = std::find_if(world.open_sends.begin(), world.open_sends.end(), [&](uint32_t s) {
    return world.operations[s].rank == from && fits(world.operations[s], receive);
  });
  spend(world, static_cast<uint64_t>(found - world.open_sends.begin()) + 1);
  return found == world.open_sends.end() ? std::nullopt : std::optional(*found);
}

// A receive that was posted earlier has the first claim. Probes take nothing away.
bool is_first_claim(World& world, uint32_t send, uint32_t receive) {
  for (const uint32_t r : world.open_receives) {
    if (r >= receive) return true;
    spend(world, 1);
    const Operation& o = world.operations[r];
    if (o.kind == Operation::Kind::Receive && fits(world.operations[send], o)) return false;
  }
  return true;
}

int64_t rank_of_sender(const World& world, const Operation& send, const Operation& receive) {
  const Comm& c = world.comms[receive.comm];
  return rank_in(c.remote.empty() ? c.members : c.remote, send.rank);
}

// A packed message holds values of their own types one after the other, for any type of the receive.
bool is_packed_otherwise(const Operation& send, const Buffer& receive) {
  if (send.buffer.type_name != "MPI_PACKED" || receive.type_name == "MPI_PACKED" || !send.payload_known ||
      !receive.type.is_known)
    return false;
  size_t at = 0;
  for (int64_t i = 0; i < receive.count; ++i)
    for (const Segment& s : receive.type.segments) {
      if (at >= send.payload.size()) return false;
      const Value& v = send.payload[at];
      if (is_packed_otherwise(v, std::max<uint32_t>(v.width, 1), *s.basic)) return true;
      at += s.basic->size_bytes;
    }
  return false;
}

void check_message(World& world, const Operation& send, const Operation& receive) {
  const auto add_sender = [&](Problem& p) { add_note<Fact::SentHere>(world, p, send.place, send.rank); };
  const int64_t sent =
      send.buffer.count < 0 || !send.buffer.type.is_known ? -1 : send.buffer.count * send.buffer.type.size_bytes;
  const int64_t room = receive.buffer.count < 0 || !receive.buffer.type.is_known
                           ? -1
                           : receive.buffer.count * receive.buffer.type.size_bytes;
  if (sent >= 0 && room >= 0 && sent > room) {
    add_sender(report<Fact::MessageTooLong>(world, receive.rank, receive.place, receive.call,
                                            items_phrase(receive.buffer), items_phrase(send.buffer)));
    return;
  }
  if (!same_signature(send.buffer.type, send.buffer.count, receive.buffer.type, receive.buffer.count, true) ||
      is_packed_otherwise(send, receive.buffer))
    add_sender(report<Fact::MessageOfOtherType>(world, receive.rank, receive.place, receive.call,
                                                items_phrase(receive.buffer), items_phrase(send.buffer)));
}

// A ready send has to come after its receive, for any timing.
void report_unready(World& world, const Operation& send, const Operation& receive) {
  Problem& p = report<Fact::UnreadySend>(world, send.rank, send.place, send.call, send.rank, receive.rank);
  add_note<Fact::ReceivesHere>(world, p, receive.place, receive.rank);
}

// Receives of one source, whose message is certain.
bool match_certain(World& world) {
  for (const uint32_t r : world.open_receives) {
    const Operation& receive = world.operations[r];
    if (receive.peer_rank < 0) continue;
    const auto send = first_send(world, receive, receive.peer_rank);
    if (!send || !is_first_claim(world, *send, r)) continue;
    match(world, *send, r);
    return true;
  }
  return false;
}

// Receives of any source, when nothing else can happen.
bool match_wildcard(World& world) {
  for (const uint32_t r : world.open_receives) {
    const Operation& receive = world.operations[r];
    if (receive.peer_rank >= 0) continue;
    std::vector<uint32_t> sends;
    for (uint32_t rank = 0; rank < world.size(); ++rank)
      if (const auto send = first_send(world, receive, rank); send && is_first_claim(world, *send, r))
        sends.push_back(*send);
    if (sends.empty()) continue;
    if (sends.size() > 1 && receive.kind == Operation::Kind::Receive) {
      Race race{.rank = receive.rank, .place = receive.place, .senders = sends, .call = receive.call};
      for (const uint32_t s : sends) race.sources.push_back(world.operations[s].rank);
      begin_race(world, std::move(race), receive.buffer.address);
    }
    const uint32_t taken = choose(world, static_cast<uint32_t>(sends.size()), false);
    match(world, sends[taken], r);
    return true;
  }
  return false;
}

bool resume_ready(World& world, bool is_last_resort) {
  bool any = false;
  for (Rank& rank : world.ranks) {
    if (!rank.waiting || (rank.waiting->is_patient && !is_last_resort) || !rank.waiting->is_ready()) continue;
    const Waiting waiting = std::move(*rank.waiting);
    rank.waiting.reset();
    rank.idle_turns = 0;
    for (const uint32_t o : waiting.operations) join_clock(rank, world.operations[o].clock);
    ++rank.clock[rank.machine.rank];
    if (waiting.finish) waiting.finish();
    machine::resume(rank.machine, kSuccess);
    any = true;
  }
  return any;
}

// A test that found nothing: the rank goes on, for a while.
bool resume_idle(World& world) {
  bool any = false;
  for (Rank& rank : world.ranks) {
    if (!rank.waiting || !rank.waiting->give_up || rank.idle_turns >= kIdleTurns) continue;
    const Waiting waiting = std::move(*rank.waiting);
    rank.waiting.reset();
    ++rank.idle_turns;
    waiting.give_up();
    machine::resume(rank.machine, kSuccess);
    any = true;
  }
  return any;
}

bool all_ended(const World& world) {
  return std::all_of(world.ranks.begin(), world.ranks.end(),
                     [](const Rank& r) { return r.machine.state == Machine::State::Ended; });
}

// It refuses to go on: with a failure, and before it has come to the end of MPI.
bool gave_up(const Rank& rank) {
  const Value& result = rank.machine.result;
  return rank.machine.state == Machine::State::Ended && rank.is_initialized && !rank.is_finalized &&
         result.kind == Value::Kind::Int && result.number;
}

bool run_ranks(World& world) {
  for (Rank& rank : world.ranks) {
    if (rank.machine.state != Machine::State::Running) continue;
    machine::run(rank.machine, kMostStepsOfRank);
    if (world.is_stopped || world.is_lost) return false;
    if (rank.machine.state == Machine::State::Lost) {
      lose(world, rank.machine.lost_because);
      return false;
    }
    if (rank.machine.state == Machine::State::Ended && (rank.machine.aborted || gave_up(rank))) {
      world.is_stopped = true;  // the job is over, and all of it
      return false;
    }
  }
  return true;
}

bool decide(World& world, uint32_t of) {
  if (const auto known = world.shared.side_of(of)) return *known;
  const bool side = (choose(world, 2, true) == 1) != world.shared.is_likely(of);
  world.shared.decide(of, side);
  return side;
}

void build(World& world, const machine::Program& program, uint32_t size) {
  world.program = &program;
  world.host.call = [&world](Machine& m, const std::string& name, std::span<const Value> arguments) {
    return call_mpi(world, m, name, arguments);
  };
  world.host.calls = [&world](const Machine& m, const std::string& name, std::span<const Value> arguments) {
    show_call(world, m, name, arguments);
  };
  world.host.accessed = [&world](Machine& m, const machine::Access& access) { check_access(world, m, access); };
  world.host.symbol = [&world](uint64_t a, uint64_t b, uint64_t c) { return world.shared.symbol(a, b, c); };
  world.host.settle = [&world](uint32_t of, bool side) {
    if (world.shared.side_of(of)) return false;
    world.shared.decide(of, side);
    return true;
  };
  world.host.decide = [&world](Machine&, uint32_t of, bool) { return decide(world, of); };
  world.ranks.resize(size);
  for (Rank& r : world.ranks) r.clock.assign(size, 1);
  std::vector<uint32_t> all;
  for (uint32_t r = 0; r < size; ++r) all.push_back(r);
  add_comm(world, all, "MPI_COMM_WORLD");
  for (uint32_t r = 0; r < size; ++r) add_comm(world, {r}, "MPI_COMM_SELF");
  world.groups.emplace_back();
  for (Rank& r : world.ranks) r.machine.asserts_hold = world.asserts_hold;
  for (uint32_t r = 0; r < size; ++r) machine::start(world.ranks[r].machine, program, world.host, r);
}

// A mismatch is met before all ranks have said what they do: those that can go on still do, up to where they wait. What
// happens to them there is not reported, and decides nothing.
void hear_the_others(World& world) {
  if (world.out_of_step.empty()) return;
  const size_t reported = world.problems.size(), chosen = world.choices.size();
  for (Rank& rank : world.ranks)
    if (rank.machine.state == Machine::State::Running) machine::run(rank.machine, kMostStepsOfRank);
  world.problems.erase(world.problems.begin() + static_cast<std::ptrdiff_t>(reported), world.problems.end());
  world.choices.resize(chosen);
  world.is_lost = false;
  world.lost_because.clear();
  world.problems.back().lanes.clear();
  add_lanes(world, world.problems.back());
}

}  // namespace

void match(World& world, uint32_t send_id, uint32_t receive_id) {
  Operation &send = world.operations[send_id], &receive = world.operations[receive_id];
  receive.source = rank_of_sender(world, send, receive);
  receive.received_tag = send.tag;
  receive.received_bytes =
      send.buffer.count < 0 || !send.buffer.type.is_known ? -1 : send.buffer.count * send.buffer.type.size_bytes;
  receive.is_done = receive.is_matched = true;
  std::erase(world.open_receives, receive_id);
  if (receive.kind == Operation::Kind::Probe && !receive.is_claim) return;
  std::erase(world.open_sends, send_id);
  receive.partner = send_id;
  if (receive.is_claim) return;
  send.is_done = send.is_matched = true;
  if (send.is_freed) release(world, send_id);  // no other call ever will
  receive.clock = send.clock;
  send.partner = receive_id;
  receive.partner = send_id;
  if (send.mode == Operation::Mode::Ready && send.clock[receive.rank] <= receive.posted_at)
    report_unready(world, send, receive);
  check_message(world, send, receive);
  const bool exact = send.payload_known && receive.buffer.type.is_known;
  write_items(world, receive.rank, receive.buffer.address,
              exact ? receive.buffer.count : std::max<int64_t>(receive.buffer.count, 1), receive.buffer.type,
              send.payload, exact);
}

uint32_t post(World& world, Operation o, bool is_open) {
  const auto id = static_cast<uint32_t>(world.operations.size());
  const Comm& c = world.comms[o.comm];
  const auto& side = c.remote.empty() ? c.members : c.remote;
  o.channel = c.channel;
  if (o.peer >= 0 && static_cast<size_t>(o.peer) < side.size()) o.peer_rank = side[static_cast<size_t>(o.peer)];
  if (o.peer == kProcNull) {
    o.is_done = true;
    o.source = kProcNull;
    o.received_tag = kAnyTag;
    is_open = false;
  }
  const bool sends = o.kind == Operation::Kind::Send;
  o.posted_at = world.ranks[o.rank].clock[o.rank];
  if (sends) o.clock = world.ranks[o.rank].clock;
  if (o.kind != Operation::Kind::Probe) world.ranks[o.rank].idle_turns = 0;
  world.operations.push_back(std::move(o));
  if (is_open) {
    if (sends)
      open_send(world, id);
    else
      world.open_receives.push_back(id);
  }
  if (world.operations.size() > kMostOperations) lose(world, "too much communication");
  return id;
}

void open_send(World& world, uint32_t id) {
  Operation& o = world.operations[id];
  if (o.is_done) return;
  o.clock = world.ranks[o.rank].clock;
  if (o.is_partitioned) read_payload(world, o);
  const bool is_buffered =
      o.mode == Operation::Mode::Buffered || (world.sends_are_buffered && o.mode == Operation::Mode::Standard);
  if (is_buffered) o.is_done = true;
  o.is_under_way = true;
  world.open_sends.push_back(id);
}

uint32_t choose(World& world, uint32_t options, bool is_branch) {
  const size_t at = world.choices.size();
  const uint32_t taken = at < world.wanted.size() ? std::min(world.wanted[at], options - 1) : 0;
  world.choices.push_back({.options = options, .taken = taken, .is_branch = is_branch});
  return taken;
}

void join_clock(Rank& rank, const std::vector<uint64_t>& other) {
  for (size_t i = 0; i < other.size() && i < rank.clock.size(); ++i) rank.clock[i] = std::max(rank.clock[i], other[i]);
}

void run_world(World& world, const machine::Program& program, uint32_t size) {
  build(world, program, size);
  while (!world.is_stopped && !world.is_lost) {
    if (!run_ranks(world)) return hear_the_others(world);
    if (resume_ready(world, false)) continue;
    if (match_certain(world)) continue;
    if (resume_ready(world, true)) continue;
    if (all_ended(world)) {
      world.is_finished = true;
      check_end(world);
      return;
    }
    if (match_wildcard(world)) continue;
    if (resume_idle(world)) continue;
    report_deadlock(world);
  }
}

}  // namespace ranklint::mpi_check
