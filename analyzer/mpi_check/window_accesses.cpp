// What is accessed in windows, by calls and without, and what of it is in conflict.
#include <algorithm>
#include <array>

#include "analyzer/mpi_check/windows.h"

namespace ranklint::mpi_check {

namespace {

constexpr size_t kMostAccesses = 4000;

bool is_over_before(const RemoteAccess& a, const RemoteAccess& b) {
  return a.end_clock && *a.end_clock < b.clock[a.origin];
}

// Atomic with any other accumulate.
bool is_neutral(const std::string& op) { return op == "MPI_NO_OP" || op == "compare"; }

bool conflict(const RemoteAccess& a, const RemoteAccess& b) {
  if (a.target != b.target || a.begin >= b.end || b.begin >= a.end) return false;
  if (!a.is_write && !b.is_write) return false;
  if (a.is_local && b.is_local && a.origin == b.origin) return false;
  if (a.is_accumulate && b.is_accumulate &&
      (a.origin == b.origin || a.op == b.op || is_neutral(a.op) || is_neutral(b.op)))
    return false;
  if (a.origin != b.origin && a.lock && b.lock && (a.lock == kExclusive || b.lock == kExclusive)) return false;
  return !is_over_before(a, b) && !is_over_before(b, a);
}

Statement access_phrase(const RemoteAccess& a) {
  if (!a.is_local) return state<Fact::CallOfRank>(a.call, a.origin);
  return a.is_write ? state<Fact::OwnWrite>(a.origin) : state<Fact::OwnRead>(a.origin);
}

void add_access(World& world, Win& win, RemoteAccess access) {
  if (win.accesses.size() >= kMostAccesses) return;
  for (const RemoteAccess& old : win.accesses)
    if (conflict(old, access)) {
      Problem& p = report<Fact::UnorderedAccesses>(world, access.origin, access.place, access_phrase(access),
                                                   access_phrase(old), mark_of(world, old.place));
      add_note<Fact::OtherAccessHere>(world, p, old.place, access_phrase(old));
      break;
    }
  win.accesses.push_back(std::move(access));
}

// An address of a window that was made without memory: whether the target has attached any.
bool check_attached(Call& call, const WinSide& there, uint32_t target) {
  if (!there.attached.empty()) return true;
  Problem& p = invalid<Fact::NothingAttached>(call, target);
  if (there.epoch_place) add_note<Fact::TargetEpochHere>(call.world, p, there.epoch_place, target);
  return false;
}

struct Transfer {
  Buffer origin = {}, result = {};
  Value target = {}, displacement = {};
  Buffer remote = {};  // count and type at the target
  bool reads = false, writes = false, accumulates = false;
  std::string op = {};

  bool only_reads() const { return op == "MPI_NO_OP" && reads && writes; }
  bool changes() const { return writes && !only_reads(); }
};

bool is_in_epoch(const WinSide& side, uint32_t target, uint32_t target_rank) {
  return side.is_fenced || side.locked_all || side.locks.contains(target) ||
         (side.is_started && std::find(side.started.begin(), side.started.end(), target_rank) != side.started.end());
}

void hold_origin(Call& call, const Buffer& b, bool forbids_reads, uint32_t target) {
  if (!b.address.points() || span_bytes(b) <= 0) return;
  for (const auto& [begin, end] : ranges_of(b, b.address.number)) {
    call.world.holds.push_back({.rank = call.m.rank,
                                .object = b.address.object,
                                .begin = begin,
                                .end = end,
                                .forbids_reads = forbids_reads,
                                .place = call.place,
                                .call = call.name,
                                .owner = win_id(call),
                                .target = target,
                                .is_window = true});
    ++call.m.at(b.address.object).watches;
  }
}

void move_data(Call& call, const Transfer& t, const WinSide& there, uint32_t rank, int64_t begin) {
  Value at = there.base;
  at.number += begin;
  bool known = true;
  if (t.reads) {
    const auto values = read_items(call.world, rank, at, t.remote.count, t.remote.type, known);
    const Buffer& into = t.writes ? t.result : t.origin;
    write_items(call.world, call.m.rank, into.address, into.count, into.type, values, known);
  }
  if (!t.changes()) return;
  const auto values = read_items(call.world, call.m.rank, t.origin.address, t.origin.count, t.origin.type, known);
  write_items(call.world, rank, at, t.remote.count, t.remote.type, values,
              known && (!t.accumulates || t.op == "MPI_REPLACE"));
}

// A call with a request: it is done at once, and a wait for it returns.
CallResult with_request(Call& call, std::optional<uint32_t> window, uint32_t target) {
  Operation o{.kind = Operation::Kind::Local, .rank = call.m.rank, .place = call.place, .call = call.name};
  o.is_done = o.is_matched = true;
  o.window = window;
  o.window_target = target;
  call.world.operations.push_back(std::move(o));
  make_request(call, call.argument('q'), {static_cast<uint32_t>(call.world.operations.size() - 1)});
  return success();
}

// What is wrong with it, in an epoch or not, is reported. Nothing: it can be made.
std::optional<CallResult> check_transfer(Call& call, Win& win, const Transfer& t, uint32_t side,
                                         std::optional<int64_t> displacement) {
  const uint32_t rank = call.world.comms[win.comm].members[side];
  const WinSide &own = side_of(call, win), &there = win.sides[side];
  if (!is_in_epoch(own, side, rank)) return refuse<Fact::OutsideAccessEpoch>(call);
  if (call.index('q') >= 0 && !own.locked_all && !own.locks.contains(side))
    return refuse<Fact::RequestOutsideLock>(call);
  const Buffer& first = t.only_reads() ? t.result : t.origin;
  for (const Buffer* b : {&first, &t.result})
    if (b->count > 0 && b->type.is_predefined && b->address.is_null()) return refuse<Fact::NullMemory>(call, b->count);
  if (t.reads && t.writes && !t.only_reads() && overlap(t.origin, t.result)) return refuse<Fact::TakesAndGives>(call);
  if (displacement && *displacement < 0) return refuse<Fact::NegativeDisplacement>(call, *displacement);
  if (!same_signature(first.type, first.count, t.remote.type, t.remote.count, false))
    return refuse<Fact::TargetOfOtherType>(call, items_phrase(first), items_phrase(t.remote));
  if (t.changes() && there.no_put_place) {
    Problem& p = invalid<Fact::PutAgainstPromise>(call, rank);
    add_note<Fact::PromisedHere>(call.world, p, there.no_put_place);
    return stop(call);
  }
  const int64_t span = span_bytes(t.remote);
  if (win.is_dynamic) {
    if (span > 0 && !check_attached(call, there, rank)) return stop(call);
    if (span > 0 && displacement && t.displacement.kind == Value::Kind::Int && *displacement < 4096)
      return refuse<Fact::NoAddress>(call, *displacement);
    return std::nullopt;
  }
  if (!displacement || span < 0 || there.size_bytes < 0) return std::nullopt;
  if (const int64_t end = *displacement * there.unit + span; end > there.size_bytes)
    return refuse<Fact::BeyondWindow>(call, end, there.size_bytes);
  return std::nullopt;
}

// Takes the transfer down as an access of the target's memory, from `begin` on.
void access_target(Call& call, Win& win, const Transfer& t, uint32_t side, int64_t begin) {
  const WinSide& own = side_of(call, win);
  RemoteAccess a{.origin = call.m.rank,
                 .target = call.world.comms[win.comm].members[side],
                 .is_write = t.changes(),
                 .is_accumulate = t.accumulates,
                 .op = t.op,
                 .call = call.name};
  a.place = call.place;
  a.clock = call.rank.clock;
  if (const auto held = own.locks.find(side); held != own.locks.end())
    a.lock = held->second;
  else if (own.locked_all)
    a.lock = kShared;
  if (call.index('q') >= 0) a.operation = static_cast<uint32_t>(call.world.operations.size());
  for (const auto& [from, to] : ranges_of(t.remote, begin)) {
    RemoteAccess part = a;
    part.begin = from, part.end = to;
    add_access(call.world, win, std::move(part));
  }
}

CallResult transfer(Call& call, const Transfer& t) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  if (!check_target(call, *win, t.target)) return stop(call);
  const auto target = number(t.target), displacement = number(t.displacement);
  if (!target) return not_known(call, "the target of `" + call.name + "` is not known");
  const bool has_request = call.index('q') >= 0;
  if (*target == kProcNull) return has_request ? with_request(call, {}, 0) : success();
  const auto side = static_cast<uint32_t>(*target);
  const uint32_t rank = call.world.comms[win->comm].members[side];
  note_step<Fact::CallToRank>(call, rank);
  call.rank.idle_turns = 0;
  if (const auto refused = check_transfer(call, *win, t, side, displacement)) return *refused;
  // What is sent is read, or written where the call only fetches; what is fetched beside it is written.
  const bool fetches_into_origin = t.reads && !t.writes, uses_origin = !t.only_reads(),
             uses_result = t.reads && t.writes;
  if (uses_origin) touch_buffer(call, t.origin, fetches_into_origin);
  if (uses_result) touch_buffer(call, t.result, true);
  if (displacement && span_bytes(t.remote) >= 0 && !win->is_dynamic) {
    const WinSide& there = win->sides[side];
    move_data(call, t, there, rank, *displacement * there.unit);
    access_target(call, *win, t, side, *displacement * there.unit);
  }
  if (!has_request) {
    if (uses_origin) hold_origin(call, t.origin, fetches_into_origin, rank);
    if (uses_result) hold_origin(call, t.result, true, rank);
    return success();
  }
  const auto id = static_cast<uint32_t>(call.world.operations.size());
  with_request(call, win_id(call), rank);
  if (uses_origin) hold(call.world, id, t.origin, fetches_into_origin);
  if (uses_result) hold(call.world, id, t.result, true);
  return success();
}

Buffer remote_of(Call& call, int count, int type) { return buffer_of(call, 0, count, type); }

std::string op_of(Call& call) {
  const Handle* h = handle_at(call, call.argument('o'));
  return h ? call.world.operators[h->id].name : "";
}

CallResult put(Call& call) {
  return transfer(call, {.origin = buffer_of(call, 0, 1, 2),
                         .target = call.at(3),
                         .displacement = call.at(4),
                         .remote = remote_of(call, 5, 6),
                         .writes = true});
}

CallResult get(Call& call) {
  return transfer(call, {.origin = buffer_of(call, 0, 1, 2),
                         .target = call.at(3),
                         .displacement = call.at(4),
                         .remote = remote_of(call, 5, 6),
                         .reads = true});
}

CallResult accumulate(Call& call) {
  return transfer(call, {.origin = buffer_of(call, 0, 1, 2),
                         .target = call.at(3),
                         .displacement = call.at(4),
                         .remote = remote_of(call, 5, 6),
                         .writes = true,
                         .accumulates = true,
                         .op = op_of(call)});
}

CallResult get_accumulate(Call& call) {
  return transfer(call, {.origin = buffer_of(call, 0, 1, 2),
                         .result = buffer_of(call, 3, 4, 5),
                         .target = call.at(6),
                         .displacement = call.at(7),
                         .remote = remote_of(call, 8, 9),
                         .reads = true,
                         .writes = true,
                         .accumulates = true,
                         .op = op_of(call)});
}

CallResult fetch_and_op(Call& call) {
  return transfer(call, {.origin = buffer_of(call, 0, -1, 2),
                         .result = buffer_of(call, 1, -1, 2),
                         .target = call.at(3),
                         .displacement = call.at(4),
                         .remote = remote_of(call, -1, 2),
                         .reads = true,
                         .writes = true,
                         .accumulates = true,
                         .op = op_of(call)});
}

CallResult compare_and_swap(Call& call) {
  return transfer(call, {.origin = buffer_of(call, 0, -1, 3),
                         .result = buffer_of(call, 2, -1, 3),
                         .target = call.at(4),
                         .displacement = call.at(5),
                         .remote = remote_of(call, -1, 3),
                         .reads = true,
                         .writes = true,
                         .accumulates = true,
                         .op = "compare"});
}

constexpr std::array kWindowAccessCalls = {
    Signature{"Put", "bnt..ntw", put},
    Signature{"Get", "Bnt..ntw", get},
    Signature{"Accumulate", "bnt..ntow", accumulate},
    Signature{"Rput", "bnt..ntwq", put},
    Signature{"Rget", "Bnt..ntwq", get},
    Signature{"Raccumulate", "bnt..ntowq", accumulate},
    Signature{"Get_accumulate", "bntBnt..ntow", get_accumulate},
    Signature{"Rget_accumulate", "bntBnt..ntowq", get_accumulate},
    Signature{"Fetch_and_op", "bBt..ow", fetch_and_op},
    Signature{"Compare_and_swap", "b..t..w", compare_and_swap},
};

}  // namespace

bool has_open_access(const Win& win, uint32_t rank) {
  return std::any_of(win.accesses.begin(), win.accesses.end(),
                     [&](const RemoteAccess& a) { return a.origin == rank && !a.is_local && !a.end_clock; });
}

void end_accesses(World& world, Win& win, uint32_t origin, int64_t target) {
  for (RemoteAccess& a : win.accesses)
    if (a.origin == origin && !a.end_clock && (target < 0 || a.target == target))
      a.end_clock = world.ranks[origin].clock[origin];
}

// Which side's memory it is that the rank accesses without a call.
static std::optional<uint32_t> side_accessed(const World& world, const Win& win, const Machine& m,
                                             const machine::Access& access) {
  const int64_t own = rank_in(world.comms[win.comm].members, m.rank);
  if (own < 0 || win.sides[static_cast<size_t>(own)].is_freed) return std::nullopt;
  if (win.memory) return owner_of_shared(win, m, access);
  const Value& base = win.sides[static_cast<size_t>(own)].base;
  return base.kind == Value::Kind::Pointer && base.object == access.object ? std::optional(static_cast<uint32_t>(own))
                                                                           : std::nullopt;
}

void local_access(World& world, Machine& m, const machine::Access& access) {
  for (Win& win : world.wins) {
    const auto accessed = win.accesses.size() < kMostAccesses ? side_accessed(world, win, m, access) : std::nullopt;
    if (!accessed) continue;
    spend(world, win.accesses.size() / 16);
    const uint32_t own = own_rank(world, win, m.rank);
    WinSide& side = win.sides[*accessed];
    RemoteAccess a{.origin = m.rank,
                   .target = world.comms[win.comm].members[*accessed],
                   .begin = access.offset - side.base.number,
                   .is_write = access.is_write,
                   .is_local = true};
    a.end = a.begin + access.size_bytes;
    a.place = m.place();
    if (a.is_write && side.is_fenced && a.end > 0 && a.begin < side.size_bytes) side.store_place = a.place;
    a.clock = world.ranks[m.rank].clock;
    a.end_clock = a.clock[m.rank];
    const auto& locks = win.sides[own].locks;
    if (const auto held = locks.find(*accessed); held != locks.end()) a.lock = held->second;
    const auto same = [&](const RemoteAccess& old) {
      return old.is_local && old.place == a.place && old.origin == a.origin && old.is_write == a.is_write &&
             old.end_clock == a.end_clock && old.begin == a.begin;
    };
    if (std::any_of(win.accesses.begin(), win.accesses.end(), same)) continue;
    add_access(world, win, std::move(a));
  }
}

// What was fetched is here, so nothing reads the target's memory any more. What was sent may still be on its way.
void end_request_access(World& world, uint32_t operation) {
  const Operation& o = world.operations[operation];
  if (o.call != "MPI_Rget" && o.call != "MPI_Rget_accumulate") return;
  uint64_t& clock = world.ranks[o.rank].clock[o.rank];
  for (RemoteAccess& a : world.wins[*o.window].accesses)
    if (a.operation == operation && !a.end_clock) a.end_clock = clock;
  ++clock;
}

std::span<const Signature> window_access_calls() { return kWindowAccessCalls; }

}  // namespace ranklint::mpi_check
