// The epochs of windows: fences, posts and starts, locks.
#include <algorithm>
#include <array>

#include "analyzer/mpi_check/windows.h"

namespace ranklint::mpi_check {

namespace {

void release_origin(World& world, uint32_t win, uint32_t rank, int64_t target) {
  std::erase_if(world.holds, [&](const Hold& h) {
    const bool of_request = !h.is_window && world.operations[h.owner].window == win;
    const uint32_t to = of_request ? world.operations[h.owner].window_target : h.target;
    if ((!of_request && (!h.is_window || h.owner != win)) || h.rank != rank || (target >= 0 && to != target))
      return false;
    --world.ranks[h.rank].machine.at(h.object).watches;
    return true;
  });
}

void complete_epoch(Call& call, Win& win, int64_t target) {
  end_accesses(call.world, win, call.m.rank, target);
  release_origin(call.world, win_id(call), call.m.rank, target);
  ++call.rank.clock[call.m.rank];
}

CallResult fence(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  const CallResult open = open_epoch(call, *win);
  if (open.kind != CallResult::Kind::Value) return open;
  WinSide& side = side_of(call, *win);
  if (side.is_exposed) return misuse<Fact::ExposureNotEnded>(call, side.exposure_place);
  const auto flags = number(call.at(0));
  if (flags && (*flags & kNoPrecede) && has_open_access(*win, call.m.rank))
    return misuse<Fact::AccessesPrecede>(call, side.epoch_place);
  if (flags && (*flags & kNoStore) && side.store_place)
    return misuse<Fact::StorePrecedes>(call, side.epoch_place, mark_of(call.world, side.store_place));
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
  if (side.is_exposed) return misuse<Fact::ExposedTwice>(call, side.exposure_place);
  side.is_exposed = true;
  side.exposure_place = call.place;
  side.exposed_to = *group;
  side.no_put_place = number(call.at(1)).value_or(0) & kNoPut ? call.place : 0;
  for (const uint32_t origin : *group) win->posts[{call.m.rank, origin}].push_back(call.rank.clock);
  note_step<Fact::Named>(call);
  return success();
}

CallResult start_access(Call& call) {
  Win* win = win_of(call);
  const auto group = group_members(call);
  if (!win || !group) return no_window(call);
  WinSide& side = side_of(call, *win);
  if (side.is_started) return misuse<Fact::AccessStartedTwice>(call, side.epoch_place);
  if (!side.locks.empty() || side.locked_all) return misuse<Fact::WindowLocked>(call, side.epoch_place);
  side.is_started = true;
  side.started = *group;
  side.epoch_place = call.place;
  note_step<Fact::Named>(call);
  World& world = call.world;
  const uint32_t id = win_id(call), rank = call.m.rank;
  const CallResult waits = wait_for(
      call, {},
      [&world, id, rank, targets = *group] {
        for (const uint32_t target : targets) {
          auto& posts = world.wins[id].posts[{target, rank}];
          join_clock(world.ranks[rank], posts.front());
          posts.erase(posts.begin());
        }
      },
      state<Fact::WaitsForPost>(call.name));
  call.rank.waiting->is_ready = [&world, id, rank, targets = *group] {
    return std::all_of(targets.begin(), targets.end(),
                       [&](uint32_t t) { return !world.wins[id].posts[{t, rank}].empty(); });
  };
  return waits;
}

CallResult complete(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  WinSide& side = side_of(call, *win);
  if (!side.is_started) return refuse<Fact::NotStarted>(call);
  complete_epoch(call, *win, -1);
  side.is_started = false;
  for (const uint32_t target : side.started) win->completes[{target, call.m.rank}].push_back(call.rank.clock);
  note_step<Fact::Named>(call);
  return success();
}

CallResult wait_exposure(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  WinSide& side = side_of(call, *win);
  if (!side.is_exposed) return refuse<Fact::NotPosted>(call);
  note_step<Fact::Named>(call);
  World& world = call.world;
  const uint32_t id = win_id(call), rank = call.m.rank;
  const CallResult waits = wait_for(
      call, {},
      [&world, id, rank, origins = side.exposed_to] {
        Win& w = world.wins[id];
        for (const uint32_t origin : origins) {
          auto& completes = w.completes[{rank, origin}];
          join_clock(world.ranks[rank], completes.front());
          completes.erase(completes.begin());
        }
        WinSide& own = w.sides[own_rank(world, w, rank)];
        own.is_exposed = false;
        own.no_put_place = 0;
      },
      state<Fact::WaitsForComplete>(call.name));
  call.rank.waiting->is_ready = [&world, id, rank, origins = side.exposed_to] {
    return std::all_of(origins.begin(), origins.end(),
                       [&](uint32_t o) { return !world.wins[id].completes[{rank, o}].empty(); });
  };
  call.rank.waiting->is_open_to_others = true;
  return call.name == "MPI_Win_test" ? ask(call, call.at(1)) : waits;
}

// A library may let `MPI_Win_lock` return before the lock is held; the call that completes accesses cannot. So a rank
// waits for the lock where another rank holds it, goes on without it when nothing else moves, and has it at the end.

void grant(Win& win) {
  for (Lock& l : win.locks) {
    const bool is_free = std::none_of(win.locks.begin(), win.locks.end(), [&](const Lock& other) {
      return other.is_held && other.target == l.target && other.rank != l.rank &&
             (other.type == kExclusive || l.type == kExclusive);
    });
    l.is_held = l.is_held || is_free;
  }
}

bool has_locks(const World& world, uint32_t win, uint32_t rank) {
  const auto& locks = world.wins[win].locks;
  return std::none_of(locks.begin(), locks.end(), [&](const Lock& l) { return l.rank == rank && !l.is_held; });
}

CallResult ask_for(Call& call, Win& win, uint32_t first, uint32_t last, int64_t type) {
  for (uint32_t target = first; target <= last; ++target)
    win.locks.push_back({.rank = call.m.rank, .target = target, .type = type});
  grant(win);
  World& world = call.world;
  const uint32_t id = win_id(call), rank = call.m.rank;
  if (has_locks(world, id, rank)) return success();
  const CallResult waits = wait_for(call, {}, {}, state<Fact::WaitsForLock>(call.name));
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
    if (ends)
      std::erase_if(w.locks, [&](const Lock& l) { return l.rank == rank && (target < 0 || l.target == target); });
    grant(w);
  };
  if (has_locks(world, id, rank)) {
    go_on();
    return success();
  }
  const CallResult waits = wait_for(call, {}, go_on, state<Fact::WaitsForLock>(call.name));
  call.rank.waiting->is_ready = [&world, id, rank] { return has_locks(world, id, rank); };
  return waits;
}

CallResult lock(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  const auto type = number(call.at(0)), target = number(call.at(1));
  if (type && *type != kExclusive && *type != kShared) return refuse<Fact::UnknownLockType>(call, *type);
  if (!check_target(call, *win, call.at(1))) return stop(call);
  if (!type || !target) return not_known(call, "the lock is not known");
  WinSide& side = side_of(call, *win);
  const auto t = static_cast<uint32_t>(*target);
  if (side.locks.contains(t) || side.locked_all) return misuse<Fact::LockedTwice>(call, side.epoch_place, t);
  if (side.is_started) return misuse<Fact::LockedWhileStarted>(call, side.epoch_place);
  if (side.is_fenced && has_open_access(*win, call.m.rank))
    return misuse<Fact::LockedWhileFenced>(call, side.epoch_place);
  side.is_fenced = false;
  side.locks[t] = *type;
  side.epoch_place = call.place;
  note_step<Fact::CallOfRank>(call, t);
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
  if (found == side.locks.end()) return refuse<Fact::RankNotLocked>(call, *target);
  side.locks.erase(found);
  note_step<Fact::CallOfRank>(call, *target);
  if (*target == kProcNull) return success();
  complete_epoch(call, *win, call.world.comms[win->comm].members[static_cast<size_t>(*target)]);
  return when_held(call, *target, true);
}

CallResult lock_all(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  WinSide& side = side_of(call, *win);
  if (side.locked_all || !side.locks.empty()) return misuse<Fact::AllLockedTwice>(call, side.epoch_place);
  if (side.is_started) return misuse<Fact::LockedWhileStarted>(call, side.epoch_place);
  side.is_fenced = false;
  side.locked_all = true;
  side.epoch_place = call.place;
  note_step<Fact::Named>(call);
  return ask_for(call, *win, 0, static_cast<uint32_t>(win->sides.size() - 1), kShared);
}

CallResult unlock_all(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  WinSide& side = side_of(call, *win);
  if (!side.locked_all) return refuse<Fact::AllNotLocked>(call);
  side.locked_all = false;
  complete_epoch(call, *win, -1);
  note_step<Fact::Named>(call);
  return when_held(call, -1, true);
}

// What a flush waits for: of one target or of all, what has happened there or only that the memory here is free again.
struct Flush {
  bool all = false, locally = false;
};

template <Flush kFlush>
CallResult flush(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  constexpr bool all = kFlush.all;
  if (!all && !check_target(call, *win, call.at(0))) return stop(call);
  const auto target = all ? std::optional<int64_t>(-1) : number(call.at(0));
  if (!target) return not_known(call, "the target of `" + call.name + "` is not known");
  WinSide& side = side_of(call, *win);
  const bool held =
      side.locked_all || (all ? !side.locks.empty() : side.locks.contains(static_cast<uint32_t>(*target)));
  if (!held) return refuse<Fact::NotLocked>(call);
  if (*target == kProcNull) return success();
  const int64_t rank =
      all ? -1 : static_cast<int64_t>(call.world.comms[win->comm].members[static_cast<size_t>(*target)]);
  if (kFlush.locally)
    release_origin(call.world, win_id(call), call.m.rank, rank);
  else
    complete_epoch(call, *win, rank);
  return when_held(call, *target, false);
}

CallResult sync(Call& call) { return win_of(call) ? success() : no_window(call); }

constexpr std::array kWindowEpochCalls = {
    Signature{"Win_fence", ".w", fence},
    Signature{"Win_post", "p.w", post},
    Signature{"Win_start", "p.w", start_access},
    Signature{"Win_complete", "w", complete},
    Signature{"Win_wait", "w", wait_exposure},
    Signature{"Win_test", "w.", wait_exposure},
    Signature{"Win_lock", "...w", lock},
    Signature{"Win_unlock", ".w", unlock},
    Signature{"Win_lock_all", ".w", lock_all},
    Signature{"Win_unlock_all", "w", unlock_all},
    Signature{"Win_flush", ".w", flush<Flush{}>},
    Signature{"Win_flush_local", ".w", flush<Flush{.locally = true}>},
    Signature{"Win_flush_all", "w", flush<Flush{.all = true}>},
    Signature{"Win_flush_local_all", "w", flush<Flush{.all = true, .locally = true}>},
    Signature{"Win_sync", "w", sync},
};

}  // namespace

CallResult open_epoch(Call& call, Win& win) {
  WinSide& side = side_of(call, win);
  if (!side.locks.empty() || side.locked_all) return misuse<Fact::WindowLocked>(call, side.epoch_place);
  if (side.is_started) return misuse<Fact::AccessNotEnded>(call, side.epoch_place);
  return success();
}

// What each rank promises holds for the epoch that begins when all are there.
void open_fenced(World& world, Collective& c) {
  for (const auto& [rank, part] : c.parts) {
    const Handle* h = handle_of(world, world.ranks[rank].machine, part.values[1]);
    Win& win = world.wins[h->id];
    const int64_t flags = number(part.values[0]).value_or(0);
    win.sides[own_rank(world, win, rank)].no_put_place =
        (flags & kNoPut) && !(flags & kNoSucceed) ? world.operations[part.operation].place : 0;
  }
}

std::span<const Signature> window_epoch_calls() { return kWindowEpochCalls; }

}  // namespace ranklint::mpi_check
