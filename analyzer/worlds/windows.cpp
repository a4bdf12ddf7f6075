// One-sided communication: windows, their epochs, and what is accessed within them.
//
// Two accesses of the same memory are in conflict if one writes and nothing orders them: neither comes to its end before
// the other begins. Each rank has a vector clock that moves with its calls and is joined where ranks synchronise; a
// remote access begins when it is issued and ends with the call that completes it (fence, complete, unlock, flush), a
// local one is over at once. Two accumulates of one rank, two with one operator, and two accesses under locks of the same
// window one of which is exclusive, exclude each other. As in Lamport's order; the rules of conflict are those of MPI's
// chapter on one-sided communication, section "Semantics and Correctness".
#include <algorithm>
#include <array>

#include "analyzer/worlds/call.h"

namespace ranklint::worlds {

namespace {

constexpr size_t kMostAccesses = 4000;
constexpr int64_t kExclusive = 234, kShared = 235;
constexpr int64_t kNoStore = 2048, kNoPut = 4096, kNoPrecede = 8192, kNoSucceed = 16384;  // MPI_MODE_...

Win* win_of(Call& call) {
  const Handle* h = handle_at(call, call.argument('w'));
  return h && h->handle_class == HandleClass::Win && !h->is_null ? &call.world.wins[h->id] : nullptr;
}

uint32_t win_id(Call& call) { return handle_at(call, call.argument('w'))->id; }

uint32_t own_rank(const World& world, const Win& win, uint32_t rank) { return static_cast<uint32_t>(rank_in(world.comms[win.comm].members, rank)); }

WinSide& side_of(Call& call, Win& win) { return win.sides[own_rank(call.world, win, call.m.rank)]; }

CallResult no_window(Call& call) { return not_known(call, "the window of `" + call.name + "` is not known"); }

CallResult misuse(Call& call, std::string message, std::string help, uint32_t since = 0) {
  Problem& p = invalid(call, std::move(message), std::move(help), ProblemKind::EpochMisuse);
  if (since) add_note(call.world, p, since, "the epoch begins here");
  return stop(call);
}

// ---- conflicts --------------------------------------------------------------------------------------------------

bool is_over_before(const RemoteAccess& a, const RemoteAccess& b) { return a.end_clock && *a.end_clock < b.clock[a.origin]; }

// Atomic with any other accumulate.
bool is_neutral(const std::string& op) { return op == "MPI_NO_OP" || op == "compare"; }

bool conflict(const RemoteAccess& a, const RemoteAccess& b) {
  if (a.target != b.target || a.begin >= b.end || b.begin >= a.end) return false;
  if (!a.is_write && !b.is_write) return false;
  if (a.is_local && b.is_local && a.origin == b.origin) return false;
  if (a.is_accumulate && b.is_accumulate && (a.origin == b.origin || a.op == b.op || is_neutral(a.op) || is_neutral(b.op))) return false;
  if (a.origin != b.origin && a.lock && b.lock && (a.lock == kExclusive || b.lock == kExclusive)) return false;
  return !is_over_before(a, b) && !is_over_before(b, a);
}

std::string access_text(const RemoteAccess& a) {
  if (a.is_local) return std::string(a.is_write ? "the write" : "the read") + " of " + rank_name(a.origin);
  return "`" + a.call + "` of " + rank_name(a.origin);
}

void add_access(World& world, Win& win, RemoteAccess access) {
  if (win.accesses.size() >= kMostAccesses) return;
  for (const RemoteAccess& old : win.accesses)
    if (conflict(old, access)) {
      Problem& p = report(world, ProblemKind::WindowConflict, access.origin, access.place,
                          access_text(access) + " and " + access_text(old) + " (" + line_of(world, old.place) + ") use the same window memory, and nothing orders them",
                          "put a call that ends the epoch and orders the ranks between the two");
      add_note(world, p, old.place, access_text(old) + " is here");
      break;
    }
  win.accesses.push_back(std::move(access));
}

void end_accesses(World& world, Win& win, uint32_t origin, int64_t target) {
  for (RemoteAccess& a : win.accesses)
    if (a.origin == origin && !a.end_clock && (target < 0 || a.target == target)) a.end_clock = world.ranks[origin].clock[origin];
}

void release_origin(World& world, uint32_t win, uint32_t rank, int64_t target) {
  std::erase_if(world.holds, [&](const Hold& h) {
    const bool of_request = !h.is_window && world.operations[h.owner].window == win;
    const uint32_t to = of_request ? world.operations[h.owner].window_target : h.target;
    if ((!of_request && (!h.is_window || h.owner != win)) || h.rank != rank || (target >= 0 && to != target)) return false;
    --world.ranks[h.rank].machine.at(h.object).watches;
    return true;
  });
}

void complete_epoch(Call& call, Win& win, int64_t target) {
  end_accesses(call.world, win, call.m.rank, target);
  release_origin(call.world, win_id(call), call.m.rank, target);
  ++call.rank.clock[call.m.rank];
}

bool has_open_access(const World& world, const Win& win, uint32_t rank) {
  (void)world;
  return std::any_of(win.accesses.begin(), win.accesses.end(), [&](const RemoteAccess& a) { return a.origin == rank && !a.is_local && !a.end_clock; });
}

// ---- making and freeing -----------------------------------------------------------------------------------------

// values: base, size, unit, win, place of the base pointer
CallResult make_window(Call& call, std::vector<Value> values) {
  const auto comm = comm_of(call, call.argument('c'));
  if (!comm) return not_known(call, "the communicator of `" + call.name + "` is not known");
  if (const auto size = number(values[1]); size && *size < 0)
    return refuse(call, "is given the size " + std::to_string(*size), "a size is zero or more");
  if (const auto unit = number(values[2]); unit && *unit <= 0) {
    return refuse(call, "is given the unit " + std::to_string(*unit), "a displacement unit is one or more");
  }
  return creation(call, *comm, std::move(values));
}

CallResult win_create(Call& call) {
  const auto size = number(call.at(1));
  if (call.at(0).is_null() && size && *size > 0)
    return refuse(call, "is given a null pointer for " + std::to_string(*size) + " bytes", "give the memory of the window");
  return make_window(call, {call.at(0), call.at(1), call.at(2), call.at(5), {}});
}

CallResult win_allocate_shared(Call& call) { return make_window(call, {machine::unknown(), call.at(0), call.at(1), call.at(5), call.at(4)}); }

CallResult win_allocate(Call& call) {
  const auto size = number(call.at(0));
  const ObjectId id = machine::make_object(call.m, machine::Object::Life::Heap, size && *size > 0 ? static_cast<uint64_t>(*size) : 0, machine::Scalar::None);
  call.m.at(id).size_known = size.has_value();
  store_at(call, call.at(4), 0, 8, machine::pointer(id));
  return make_window(call, {machine::pointer(id), call.at(0), call.at(1), call.at(5), {}});
}

bool check_target(Call& call, const Win& win, const Value& target) {
  const auto t = number(target);
  const size_t size = win.sides.size();
  if (!t || *t == kProcNull || (*t >= 0 && static_cast<size_t>(*t) < size)) return true;
  invalid(call, "`" + call.name + "` is given the target " + std::to_string(*t) + " of a window of " + std::to_string(size) + " ranks", "give a rank from 0 to " + std::to_string(size - 1));
  return false;
}

CallResult shared_query(Call& call) {
  Win* win = win_of(call);
  const auto rank = number(call.at(1));
  if (!win || !rank) return no_window(call);
  if (!check_target(call, *win, call.at(1))) return stop(call);
  if (!win->memory) return refuse(call, "is given a window whose ranks share no memory", "make the window with `MPI_Win_allocate_shared`");
  return tell_shared(call, *win, *rank);
}

CallResult win_dynamic(Call& call) { return make_window(call, {machine::pointer(0), machine::unknown(), machine::integer(1), call.at(2), {}}); }

void create(World& world, Collective& c) {
  const std::vector<uint32_t> members = world.comms[c.comm].members;
  Win win{.comm = add_comm(world, members, "the window")};
  win.is_dynamic = c.name == "Win_create_dynamic";
  for (const uint32_t rank : members) {
    const Part& part = c.parts.at(rank);
    WinSide side;
    side.base = part.values[0];
    side.size_bytes = number(part.values[1]).value_or(-1);
    side.unit = number(part.values[2]).value_or(1);
    Machine& m = world.ranks[rank].machine;
    if (side.base.points()) ++m.at(side.base.object).watches;
    win.sides.push_back(std::move(side));
  }
  if (c.name == "Win_allocate_shared") share_memory(world, win, c);
  world.wins.push_back(std::move(win));
  for (const uint32_t rank : members) {
    const Part& part = c.parts.at(rank);
    Machine& m = world.ranks[rank].machine;
    const Operation& o = world.operations[part.operation];
    const Value handle = make_handle(world, m, HandleClass::Win, static_cast<uint32_t>(world.wins.size() - 1), o.call, o.place);
    if (part.values[3].points()) machine::store(m.at(part.values[3].object), part.values[3].number, 8, handle);
  }
}

CallResult attach(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  if (!win->is_dynamic) return refuse(call, "to a window that has memory of its own", "make the window with `MPI_Win_create_dynamic`");
  const Value base = call.at(1);
  if (base.points()) ++call.m.at(base.object).watches;
  side_of(call, *win).attached.push_back({.object = base.points() ? base.object : 0, .begin = base.number});
  return success();
}

CallResult detach(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  const Value base = call.at(1);
  auto& attached = side_of(call, *win).attached;
  // What is not known may be any of them.
  const auto found = std::find_if(attached.begin(), attached.end(), [&](const Attached& a) { return !base.points() || !a.object || (a.object == base.object && a.begin == base.number); });
  if (found == attached.end()) return refuse(call, "is given memory that is not attached", "detach once what was attached");
  if (found->object) --call.m.at(found->object).watches;
  attached.erase(found);
  return success();
}

// An address of a window that was made without memory: whether the target has attached any.
bool check_attached(Call& call, const WinSide& there, uint32_t target) {
  if (!there.attached.empty()) return true;
  Problem& p = invalid(call, "`" + call.name + "` reaches for memory of " + rank_name(target) + ", which has attached none to the window",
                       "call `MPI_Win_attach` there before, and `MPI_Win_detach` behind the epoch", ProblemKind::EpochMisuse);
  if (there.epoch_place) add_note(call.world, p, there.epoch_place, rank_name(target) + " begins its epoch here");
  return false;
}

CallResult open_epoch(Call& call, Win& win, const std::string& before) {
  WinSide& side = side_of(call, win);
  if (!side.locks.empty() || side.locked_all) return misuse(call, "`" + before + "` while a lock of the window is held", "unlock first", side.epoch_place);
  if (side.is_started) return misuse(call, "`" + before + "` before `MPI_Win_complete`", "complete the epoch first", side.epoch_place);
  return success();
}

CallResult win_free(Call& call) {
  const Value v = load_at(call, call.at(0), 0, 8);
  if (!check_handle(call, v, HandleClass::Win, false, "window")) return stop(call);
  Handle* h = handle_of(call.world, call.m, v);
  if (!h) return no_window(call);
  const uint32_t id = h->id;
  Win& win = call.world.wins[id];
  const CallResult open = open_epoch(call, win, "MPI_Win_free");
  if (open.kind != CallResult::Kind::Value) return open;
  WinSide& side = side_of(call, win);
  if (side.is_exposed) return misuse(call, "`MPI_Win_free` before `MPI_Win_wait`", "wait for the end of the exposure epoch first", side.exposure_place);
  if (has_open_access(call.world, win, call.m.rank))
    return misuse(call, "`MPI_Win_free` in an epoch with accesses that no call has completed", "end the epoch first, with `MPI_Win_fence`", side.epoch_place);
  h->is_freed = true;
  store_at(call, call.at(0), 0, 8, null_handle(call.m, "MPI_WIN_NULL"));
  side.is_freed = true;
  return creation(call, win.comm, {});
}

// ---- epochs -----------------------------------------------------------------------------------------------------

CallResult fence(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  const CallResult open = open_epoch(call, *win, "MPI_Win_fence");
  if (open.kind != CallResult::Kind::Value) return open;
  WinSide& side = side_of(call, *win);
  if (side.is_exposed) return misuse(call, "`MPI_Win_fence` before `MPI_Win_wait`", "wait for the end of the exposure epoch first", side.exposure_place);
  const auto flags = number(call.at(0));
  if (flags && (*flags & kNoPrecede) && has_open_access(call.world, *win, call.m.rank))
    return misuse(call, "`MPI_Win_fence` with `MPI_MODE_NOPRECEDE` ends an epoch with accesses", "give 0 instead", side.epoch_place);
  if (flags && (*flags & kNoStore) && side.store_place)
    return misuse(call, "`MPI_Win_fence` with `MPI_MODE_NOSTORE` behind a store to the window (" + line_of(call.world, side.store_place) + ")", "give 0 instead", side.epoch_place);
  complete_epoch(call, *win, -1);
  side.is_fenced = !(flags && (*flags & kNoSucceed));
  side.epoch_place = call.place;
  side.store_place = 0;
  return creation(call, win->comm, {call.at(0), call.argument('w')});
}

std::optional<std::vector<uint32_t>> group_members(Call& call) {
  const Handle* h = handle_at(call, call.argument('p'));
  if (!h || h->is_null) return std::nullopt;
  return call.world.groups[h->id];
}

CallResult post(Call& call) {
  Win* win = win_of(call);
  const auto group = group_members(call);
  if (!win || !group) return no_window(call);
  WinSide& side = side_of(call, *win);
  if (side.is_exposed) return misuse(call, "`MPI_Win_post` in an exposure epoch that is open", "call `MPI_Win_wait` first", side.exposure_place);
  side.is_exposed = true;
  side.exposure_place = call.place;
  side.exposed_to = *group;
  side.no_put_place = number(call.at(1)).value_or(0) & kNoPut ? call.place : 0;
  for (const uint32_t origin : *group) win->posts[{call.m.rank, origin}].push_back(call.rank.clock);
  note_step(call, "`MPI_Win_post`");
  return success();
}

CallResult start(Call& call) {
  Win* win = win_of(call);
  const auto group = group_members(call);
  if (!win || !group) return no_window(call);
  WinSide& side = side_of(call, *win);
  if (side.is_started) return misuse(call, "`MPI_Win_start` in an access epoch that is open", "call `MPI_Win_complete` first", side.epoch_place);
  if (!side.locks.empty() || side.locked_all) return misuse(call, "`MPI_Win_start` while a lock of the window is held", "unlock first", side.epoch_place);
  side.is_started = true;
  side.started = *group;
  side.epoch_place = call.place;
  note_step(call, "`MPI_Win_start`");
  World& world = call.world;
  const uint32_t id = win_id(call), rank = call.m.rank;
  const CallResult waits = wait_for(call, {}, [&world, id, rank, targets = *group] {
    for (const uint32_t target : targets) {
      auto& posts = world.wins[id].posts[{target, rank}];
      join_clock(world.ranks[rank], posts.front());
      posts.erase(posts.begin());
    }
  }, "for `MPI_Win_post`");
  call.rank.waiting->is_ready = [&world, id, rank, targets = *group] {
    return std::all_of(targets.begin(), targets.end(), [&](uint32_t t) { return !world.wins[id].posts[{t, rank}].empty(); });
  };
  return waits;
}

CallResult complete(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  WinSide& side = side_of(call, *win);
  if (!side.is_started) return misuse(call, "`MPI_Win_complete` without `MPI_Win_start`", "start the access epoch first");
  complete_epoch(call, *win, -1);
  side.is_started = false;
  for (const uint32_t target : side.started) win->completes[{target, call.m.rank}].push_back(call.rank.clock);
  note_step(call, "`MPI_Win_complete`");
  return success();
}

CallResult wait_exposure(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  WinSide& side = side_of(call, *win);
  if (!side.is_exposed) return misuse(call, "`" + call.name + "` without `MPI_Win_post`", "post the exposure epoch first");
  note_step(call, "`" + call.name + "`");
  World& world = call.world;
  const uint32_t id = win_id(call), rank = call.m.rank;
  const CallResult waits = wait_for(call, {}, [&world, id, rank, origins = side.exposed_to] {
    Win& w = world.wins[id];
    for (const uint32_t origin : origins) {
      auto& completes = w.completes[{rank, origin}];
      join_clock(world.ranks[rank], completes.front());
      completes.erase(completes.begin());
    }
    WinSide& own = w.sides[own_rank(world, w, rank)];
    own.is_exposed = false;
    own.no_put_place = 0;
  }, "for `MPI_Win_complete`");
  call.rank.waiting->is_ready = [&world, id, rank, origins = side.exposed_to] {
    return std::all_of(origins.begin(), origins.end(), [&](uint32_t o) { return !world.wins[id].completes[{rank, o}].empty(); });
  };
  call.rank.waiting->is_open_to_others = true;
  return call.name == "MPI_Win_test" ? ask(call, call.at(1)) : waits;
}

// ---- locks ------------------------------------------------------------------------------------------------------
//
// A library may let `MPI_Win_lock` return before the lock is held; the call that completes accesses can not. So a rank
// waits for the lock where somebody else holds it, goes on without it when nothing else moves, and has it at the end.

void grant(Win& win) {
  for (Lock& l : win.locks) {
    const bool is_free = std::none_of(win.locks.begin(), win.locks.end(), [&](const Lock& other) {
      return other.is_held && other.target == l.target && other.rank != l.rank && (other.type == kExclusive || l.type == kExclusive);
    });
    l.is_held = l.is_held || is_free;
  }
}

bool has_locks(const World& world, uint32_t win, uint32_t rank) {
  const auto& locks = world.wins[win].locks;
  return std::none_of(locks.begin(), locks.end(), [&](const Lock& l) { return l.rank == rank && !l.is_held; });
}

CallResult ask_for(Call& call, Win& win, uint32_t first, uint32_t last, int64_t type) {
  for (uint32_t target = first; target <= last; ++target) win.locks.push_back({.rank = call.m.rank, .target = target, .type = type});
  grant(win);
  World& world = call.world;
  const uint32_t id = win_id(call), rank = call.m.rank;
  if (has_locks(world, id, rank)) return success();
  const CallResult waits = wait_for(call, {}, {}, "for the lock");
  call.rank.waiting->is_ready = [&world, id, rank] { return has_locks(world, id, rank); };
  call.rank.waiting->give_up = [] {};
  return waits;
}

// Goes on when the locks that were asked for are held; with `ends` they are given back then.
CallResult when_held(Call& call, int64_t target, bool ends) {
  World& world = call.world;
  const uint32_t id = win_id(call), rank = call.m.rank;
  const auto go_on = [&world, id, rank, target, ends] {
    Win& w = world.wins[id];
    if (ends) std::erase_if(w.locks, [&](const Lock& l) { return l.rank == rank && (target < 0 || l.target == target); });
    grant(w);
  };
  if (has_locks(world, id, rank)) {
    go_on();
    return success();
  }
  const CallResult waits = wait_for(call, {}, go_on, "for the lock");
  call.rank.waiting->is_ready = [&world, id, rank] { return has_locks(world, id, rank); };
  return waits;
}

CallResult lock(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  const auto type = number(call.at(0)), target = number(call.at(1));
  if (type && *type != kExclusive && *type != kShared)
    return refuse(call, "is given the lock type " + std::to_string(*type), "give `MPI_LOCK_EXCLUSIVE` or `MPI_LOCK_SHARED`");
  if (!check_target(call, *win, call.at(1))) return stop(call);
  if (!type || !target) return not_known(call, "the lock is not known");
  WinSide& side = side_of(call, *win);
  const auto t = static_cast<uint32_t>(*target);
  if (side.locks.contains(t) || side.locked_all) return misuse(call, "`MPI_Win_lock` of rank " + std::to_string(t) + ", whose lock is held already", "unlock first", side.epoch_place);
  if (side.is_started) return misuse(call, "`MPI_Win_lock` in an access epoch that `MPI_Win_start` opened", "call `MPI_Win_complete` first", side.epoch_place);
  if (side.is_fenced && has_open_access(call.world, *win, call.m.rank)) return misuse(call, "`MPI_Win_lock` in an epoch that a fence opened", "end it with a fence first", side.epoch_place);
  side.is_fenced = false;
  side.locks[t] = *type;
  side.epoch_place = call.place;
  note_step(call, "`MPI_Win_lock` of rank " + std::to_string(t));
  return *target == kProcNull ? success() : ask_for(call, *win, t, t, *type);
}

CallResult unlock(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  if (!check_target(call, *win, call.at(0))) return stop(call);
  const auto target = number(call.at(0));
  if (!target) return not_known(call, "the lock is not known");
  WinSide& side = side_of(call, *win);
  const auto found = side.locks.find(static_cast<uint32_t>(*target));
  if (found == side.locks.end()) return misuse(call, "`MPI_Win_unlock` of rank " + std::to_string(*target) + ", whose lock is not held", "lock it first");
  side.locks.erase(found);
  note_step(call, "`MPI_Win_unlock` of rank " + std::to_string(*target));
  if (*target == kProcNull) return success();
  complete_epoch(call, *win, call.world.comms[win->comm].members[static_cast<size_t>(*target)]);
  return when_held(call, *target, true);
}

CallResult lock_all(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  WinSide& side = side_of(call, *win);
  if (side.locked_all || !side.locks.empty()) return misuse(call, "`MPI_Win_lock_all` while a lock is held", "unlock first", side.epoch_place);
  if (side.is_started) return misuse(call, "`MPI_Win_lock_all` in an access epoch that `MPI_Win_start` opened", "call `MPI_Win_complete` first", side.epoch_place);
  side.is_fenced = false;
  side.locked_all = true;
  side.epoch_place = call.place;
  note_step(call, "`MPI_Win_lock_all`");
  return ask_for(call, *win, 0, static_cast<uint32_t>(win->sides.size() - 1), kShared);
}

CallResult unlock_all(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  WinSide& side = side_of(call, *win);
  if (!side.locked_all) return misuse(call, "`MPI_Win_unlock_all` without `MPI_Win_lock_all`", "lock first");
  side.locked_all = false;
  complete_epoch(call, *win, -1);
  note_step(call, "`MPI_Win_unlock_all`");
  return when_held(call, -1, true);
}

CallResult flush(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  const bool all = call.name.ends_with("_all"), local = call.name.find("local") != std::string::npos;
  if (!all && !check_target(call, *win, call.at(0))) return stop(call);
  const auto target = all ? std::optional<int64_t>(-1) : number(call.at(0));
  if (!target) return not_known(call, "the target of `" + call.name + "` is not known");
  WinSide& side = side_of(call, *win);
  const bool held = side.locked_all || (all ? !side.locks.empty() : side.locks.contains(static_cast<uint32_t>(*target)));
  if (!held) return misuse(call, "`" + call.name + "` without a lock", "lock the window first");
  if (*target == kProcNull) return success();
  const int64_t rank = all ? -1 : static_cast<int64_t>(call.world.comms[win->comm].members[static_cast<size_t>(*target)]);
  if (local) release_origin(call.world, win_id(call), call.m.rank, rank);
  else complete_epoch(call, *win, rank);
  return when_held(call, *target, false);
}

CallResult sync(Call& call) { return win_of(call) ? success() : no_window(call); }

// ---- accesses ---------------------------------------------------------------------------------------------------

struct Transfer {
  Buffer origin = {}, result = {};
  Value target = {}, displacement = {};
  Buffer remote = {};  // count and type at the target
  bool reads = false, writes = false, accumulates = false;
  std::string op = {};

  bool only_reads() const { return op == "MPI_NO_OP" && reads && writes; }
};

bool is_in_epoch(const WinSide& side, uint32_t target, uint32_t target_rank) {
  return side.is_fenced || side.locked_all || side.locks.contains(target) ||
         (side.is_started && std::find(side.started.begin(), side.started.end(), target_rank) != side.started.end());
}

void hold_origin(Call& call, const Buffer& b, bool forbids_reads, uint32_t target) {
  if (!b.address.points() || span_bytes(b) <= 0) return;
  for (const auto& [begin, end] : ranges_of(b, b.address.number)) {
    call.world.holds.push_back({.rank = call.m.rank, .object = b.address.object, .begin = begin, .end = end, .forbids_reads = forbids_reads, .place = call.place,
                                .call = call.name, .owner = win_id(call), .target = target, .is_window = true});
    ++call.m.at(b.address.object).watches;
  }
}

void carry(Call& call, const Transfer& t, const WinSide& there, uint32_t rank, int64_t begin) {
  Value at = there.base;
  at.number += begin;
  bool known = true;
  if (t.reads) {
    const auto values = read_items(call.world, rank, at, t.remote.count, t.remote.type, known);
    const Buffer& into = t.writes ? t.result : t.origin;
    write_items(call.world, call.m.rank, into.address, into.count, into.type, values, known);
  }
  if (!t.writes || t.only_reads()) return;
  const auto values = read_items(call.world, call.m.rank, t.origin.address, t.origin.count, t.origin.type, known);
  write_items(call.world, rank, at, t.remote.count, t.remote.type, values, known && (!t.accumulates || t.op == "MPI_REPLACE"));
}

// A call with a request: it is done at once, and whoever waits for it knows.
CallResult with_request(Call& call, std::optional<uint32_t> window, uint32_t target) {
  Operation o{.kind = Operation::Kind::Local, .rank = call.m.rank, .place = call.place, .call = call.name};
  o.is_done = o.is_matched = true;
  o.window = window;
  o.window_target = target;
  call.world.operations.push_back(std::move(o));
  make_request(call, call.argument('q'), {static_cast<uint32_t>(call.world.operations.size() - 1)});
  return success();
}

void add_accesses(Call& call, Win& win, const Transfer& t, const RemoteAccess& like, int64_t begin) {
  for (const auto& [from, to] : ranges_of(t.remote, begin)) {
    RemoteAccess a = like;
    a.begin = from, a.end = to;
    add_access(call.world, win, std::move(a));
  }
}

CallResult transfer(Call& call, const Transfer& t) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  if (!check_target(call, *win, t.target)) return stop(call);
  const auto target = number(t.target), displacement = number(t.displacement);
  if (!target) return not_known(call, "the target of `" + call.name + "` is not known");
  if (*target == kProcNull) return call.index('q') >= 0 ? with_request(call, {}, 0) : success();
  const auto side = static_cast<uint32_t>(*target);
  const uint32_t rank = call.world.comms[win->comm].members[side];
  note_step(call, "`" + call.name + "` to " + rank_name(rank));
  call.rank.idle_turns = 0;
  if (!is_in_epoch(side_of(call, *win), side, rank)) return misuse(call, "`" + call.name + "` outside of an access epoch", "open one first, with `MPI_Win_fence`, `MPI_Win_start` or `MPI_Win_lock`");
  const WinSide& origin_side = side_of(call, *win);
  if (call.index('q') >= 0 && !origin_side.locked_all && !origin_side.locks.contains(side))
    return misuse(call, "`" + call.name + "` outside of a lock: requests are for passive targets only", "lock the window first, or use the call without a request");
  const bool only_reads = t.only_reads();
  const Buffer& first = only_reads ? t.result : t.origin;
  for (const Buffer* b : {&first, &t.result})
    if (b->count > 0 && b->type.is_predefined && b->address.is_null())
      return refuse(call, "is given a null pointer for " + std::to_string(b->count) + " items", "give memory for the message");
  if (t.reads && t.writes && !only_reads && overlap(t.origin, t.result))
    return refuse(call, "takes and gives in the same memory", "use two buffers", ProblemKind::AliasedBuffers);
  if (displacement && *displacement < 0) {
    return refuse(call, "is given the displacement " + std::to_string(*displacement), "a displacement is zero or more");
  }
  if (!same_signature(first.type, first.count, t.remote.type, t.remote.count, false))
    return refuse(call, "sends " + type_text(first) + " where the target has " + type_text(t.remote), "give the same elements on both sides", ProblemKind::MessageMismatch);
  const WinSide& there = win->sides[side];
  if (t.writes && !only_reads && there.no_put_place) {
    Problem& p = invalid(call, "`" + call.name + "` to " + rank_name(rank) + ", which has promised that there are none with `MPI_MODE_NOPUT`", "leave the promise out", ProblemKind::EpochMisuse);
    add_note(call.world, p, there.no_put_place, "it is promised here");
    return stop(call);
  }
  const int64_t span = span_bytes(t.remote);
  if (win->is_dynamic && span > 0) {
    if (!check_attached(call, there, rank)) return stop(call);
    if (displacement && t.displacement.kind == Value::Kind::Int && *displacement < 4096)
      return refuse(call, "is given the address " + std::to_string(*displacement) + " of a window that was made without memory", "give what `MPI_Get_address` told on the target");
  }
  if (!only_reads) touch_buffer(call, t.origin, t.reads && !t.writes);
  if (t.reads && t.writes) touch_buffer(call, t.result, true);
  const bool has_request = call.index('q') >= 0;
  if (displacement && span >= 0 && !win->is_dynamic) {
    const int64_t begin = *displacement * there.unit;
    if (there.size_bytes >= 0 && begin + span > there.size_bytes)
      return refuse(call, "reaches " + std::to_string(begin + span) + " bytes into a window of " + std::to_string(there.size_bytes), "stay within the window of the target");
    carry(call, t, there, rank, begin);
    const WinSide& own = side_of(call, *win);
    RemoteAccess a{.origin = call.m.rank, .target = rank, .is_write = t.writes && !only_reads, .is_accumulate = t.accumulates, .op = t.op, .call = call.name};
    a.place = call.place;
    a.clock = call.rank.clock;
    if (const auto held = own.locks.find(side); held != own.locks.end()) a.lock = held->second;
    else if (own.locked_all) a.lock = kShared;
    if (has_request) a.operation = static_cast<uint32_t>(call.world.operations.size());
    add_accesses(call, *win, t, a, begin);
  }
  if (has_request) {
    const auto id = static_cast<uint32_t>(call.world.operations.size());
    with_request(call, win_id(call), rank);
    if (!only_reads) hold(call.world, id, t.origin, t.reads && !t.writes);
    if (t.reads && t.writes) hold(call.world, id, t.result, true);
    return success();
  }
  if (!only_reads) hold_origin(call, t.origin, t.reads && !t.writes, rank);
  if (t.reads && t.writes) hold_origin(call, t.result, true, rank);
  return success();
}

Buffer remote_of(Call& call, int count, int type) { return buffer_of(call, 0, count, type); }

std::string op_of(Call& call) {
  const Handle* h = handle_at(call, call.argument('o'));
  return h ? call.world.operators[h->id].name : "";
}

CallResult put(Call& call) {
  return transfer(call, {.origin = buffer_of(call, 0, 1, 2), .target = call.at(3), .displacement = call.at(4), .remote = remote_of(call, 5, 6), .writes = true});
}

CallResult get(Call& call) {
  return transfer(call, {.origin = buffer_of(call, 0, 1, 2), .target = call.at(3), .displacement = call.at(4), .remote = remote_of(call, 5, 6), .reads = true});
}

CallResult accumulate(Call& call) {
  return transfer(call, {.origin = buffer_of(call, 0, 1, 2), .target = call.at(3), .displacement = call.at(4), .remote = remote_of(call, 5, 6), .writes = true,
                         .accumulates = true, .op = op_of(call)});
}

CallResult get_accumulate(Call& call) {
  return transfer(call, {.origin = buffer_of(call, 0, 1, 2), .result = buffer_of(call, 3, 4, 5), .target = call.at(6), .displacement = call.at(7),
                         .remote = remote_of(call, 8, 9), .reads = true, .writes = true, .accumulates = true, .op = op_of(call)});
}

CallResult fetch_and_op(Call& call) {
  return transfer(call, {.origin = buffer_of(call, 0, -1, 2), .result = buffer_of(call, 1, -1, 2), .target = call.at(3), .displacement = call.at(4),
                         .remote = remote_of(call, -1, 2), .reads = true, .writes = true, .accumulates = true, .op = op_of(call)});
}

CallResult compare_and_swap(Call& call) {
  return transfer(call, {.origin = buffer_of(call, 0, -1, 3), .result = buffer_of(call, 2, -1, 3), .target = call.at(4), .displacement = call.at(5),
                         .remote = remote_of(call, -1, 3), .reads = true, .writes = true, .accumulates = true, .op = "compare"});
}

CallResult get_group(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  return give_group(call, call.at(1), call.world.comms[win->comm].members);
}

constexpr std::array kCalls = {
    Signature{"Win_create", "...Ic.", win_create}, Signature{"Win_allocate", "..Ic..", win_allocate}, Signature{"Win_create_dynamic", "Ic.", win_dynamic},
    Signature{"Win_allocate_shared", "..Ic..", win_allocate_shared}, Signature{"Win_shared_query", "w....", shared_query}, Signature{"Win_free", ".", win_free}, Signature{"Win_fence", ".w", fence}, Signature{"Win_post", "p.w", post}, Signature{"Win_start", "p.w", start},
    Signature{"Win_complete", "w", complete}, Signature{"Win_wait", "w", wait_exposure}, Signature{"Win_test", "w.", wait_exposure},
    Signature{"Win_lock", "...w", lock}, Signature{"Win_unlock", ".w", unlock}, Signature{"Win_lock_all", ".w", lock_all},
    Signature{"Win_unlock_all", "w", unlock_all}, Signature{"Win_flush", ".w", flush}, Signature{"Win_flush_local", ".w", flush},
    Signature{"Win_flush_all", "w", flush}, Signature{"Win_flush_local_all", "w", flush}, Signature{"Win_sync", "w", sync},
    Signature{"Win_get_group", "w.", get_group}, Signature{"Win_set_name", "w.", nothing}, Signature{"Win_attach", "w..", attach}, Signature{"Win_detach", "w.", detach},
    Signature{"Put", "bnt..ntw", put}, Signature{"Get", "Bnt..ntw", get}, Signature{"Accumulate", "bnt..ntow", accumulate},
    Signature{"Rput", "bnt..ntwq", put}, Signature{"Rget", "Bnt..ntwq", get}, Signature{"Raccumulate", "bnt..ntowq", accumulate},
    Signature{"Get_accumulate", "bntBnt..ntow", get_accumulate}, Signature{"Rget_accumulate", "bntBnt..ntowq", get_accumulate}, Signature{"Fetch_and_op", "bBt..ow", fetch_and_op},
    Signature{"Compare_and_swap", "b..t..w", compare_and_swap},
};

}  // namespace

void join_clock(Rank& rank, const std::vector<uint64_t>& other) {
  for (size_t i = 0; i < other.size() && i < rank.clock.size(); ++i) rank.clock[i] = std::max(rank.clock[i], other[i]);
}

// Which side's memory it is that the rank accesses without a call.
static std::optional<uint32_t> side_accessed(const World& world, const Win& win, const Machine& m, const machine::Access& access) {
  const int64_t own = rank_in(world.comms[win.comm].members, m.rank);
  if (own < 0 || win.sides[static_cast<size_t>(own)].is_freed) return std::nullopt;
  if (win.memory) return owner_of_shared(win, m, access);
  const Value& base = win.sides[static_cast<size_t>(own)].base;
  return base.kind == Value::Kind::Pointer && base.object == access.object ? std::optional(static_cast<uint32_t>(own)) : std::nullopt;
}

void local_access(World& world, Machine& m, const machine::Access& access) {
  for (Win& win : world.wins) {
    const auto accessed = win.accesses.size() < kMostAccesses ? side_accessed(world, win, m, access) : std::nullopt;
    if (!accessed) continue;
    spend(world, win.accesses.size() / 16);
    const uint32_t own = own_rank(world, win, m.rank);
    WinSide& side = win.sides[*accessed];
    RemoteAccess a{.origin = m.rank, .target = world.comms[win.comm].members[*accessed], .begin = access.offset - side.base.number, .is_write = access.is_write, .is_local = true};
    a.end = a.begin + access.size_bytes;
    a.place = m.place();
    if (a.is_write && side.is_fenced && a.end > 0 && a.begin < side.size_bytes) side.store_place = a.place;
    a.clock = world.ranks[m.rank].clock;
    a.end_clock = a.clock[m.rank];
    const auto& locks = win.sides[own].locks;
    if (const auto held = locks.find(*accessed); held != locks.end()) a.lock = held->second;
    const auto same = [&](const RemoteAccess& old) {
      return old.is_local && old.place == a.place && old.origin == a.origin && old.is_write == a.is_write && old.end_clock == a.end_clock && old.begin == a.begin;
    };
    if (std::any_of(win.accesses.begin(), win.accesses.end(), same)) continue;
    add_access(world, win, std::move(a));
  }
}

// The memory of a window goes before the window does.
void check_window_memory(World& world, Machine& m, const machine::Access& access) {
  if (world.of(m).is_finalized) return;
  for (const auto& [object, h] : world.of(m).handles) {
    if (h.handle_class != HandleClass::Win || h.is_null || h.is_freed) continue;
    const Win& win = world.wins[h.id];
    const WinSide& side = win.sides[own_rank(world, win, m.rank)];
    const bool is_attached = std::any_of(side.attached.begin(), side.attached.end(), [&](const Attached& a) { return a.object == access.object; });
    if (side.is_freed || win.memory || (side.base.object != access.object && !is_attached)) continue;
    Problem& p = report(world, ProblemKind::BufferInUse, m.rank, m.place(), "memory goes that the window of `" + h.name + "` (" + line_of(world, h.place) + ") still has",
                        is_attached ? "call `MPI_Win_detach` first" : "call `MPI_Win_free` first");
    add_note(world, p, h.place, "the window is made here");
    return;
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

// What each rank promises holds for the epoch that begins when all are there.
static void open_fenced(World& world, Collective& c) {
  for (const auto& [rank, part] : c.parts) {
    const Handle* h = handle_of(world, world.ranks[rank].machine, part.values[1]);
    Win& win = world.wins[h->id];
    const int64_t flags = number(part.values[0]).value_or(0);
    win.sides[own_rank(world, win, rank)].no_put_place = (flags & kNoPut) && !(flags & kNoSucceed) ? world.operations[part.operation].place : 0;
  }
}

void complete_window_call(World& world, Collective& c) {
  if (c.name == "Win_fence") open_fenced(world, c);
  if (c.name == "Win_create" || c.name == "Win_allocate" || c.name == "Win_allocate_shared" || c.name == "Win_create_dynamic") create(world, c);
}

std::span<const Signature> window_calls() { return kCalls; }

}  // namespace ranklint::worlds
