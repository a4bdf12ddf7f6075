// Waits, tests, starts and frees of requests.
#include <algorithm>
#include <array>

#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

namespace {

// What stands in an array of requests at one place.
struct Slot {
  Value where = {};          // address of the handle
  Handle* handle = nullptr;  // null: not known
  Request* request = nullptr;
  bool is_refused = false;  // it is no request, which was reported
};

// As it is now: requests live in a vector that grows, so a slot is looked up again when a wait is over.
Slot slot_in(World& world, Machine& m, const Value& array, size_t i) {
  Slot s{.where = machine::pointer(array.object, array.number + static_cast<int64_t>(8 * i))};
  s.handle = handle_of(world, m, machine::load(m.at(s.where.object), s.where.number, 8));
  if (s.handle && s.handle->handle_class == HandleClass::Request && !s.handle->is_null)
    s.request = &world.requests[s.handle->id];
  return s;
}

Slot slot_at(Call& call, const Value& array, size_t i) {
  if (!array.points()) return {};
  const Value v = load_at(call, array, static_cast<int64_t>(8 * i), 8);
  Slot s = slot_in(call.world, call.m, array, i);
  const bool is_null = s.handle && s.handle->is_null;
  s.is_refused = !is_null && !check_handle(call, v, HandleClass::Request, true);
  return s;
}

bool is_active(const Slot& s) { return s.request && s.request->is_active && !s.request->is_freed; }

bool is_done(const World& world, const Request& r) {
  return std::all_of(r.operations.begin(), r.operations.end(), [&](uint32_t o) { return world.operations[o].is_done; });
}

// The request's operations are over, and the program knows it.
void complete(World& world, Machine& m, Slot& s, const Value& status, size_t nth) {
  if (!is_active(s)) {
    write_status(world, m.rank, status, nth, kAnySource, kAnyTag, 0);
    return;
  }
  Request& r = *s.request;
  for (const uint32_t o : r.operations) {
    finish_operation(world, o);
    write_status_of(world, world.operations[o], status, nth);
  }
  r.is_active = false;
  if (r.is_persistent) return;
  r.is_completed = true;
  s.handle->is_freed = true;
  machine::store(m.at(s.where.object), s.where.number, 8, null_handle(m, "MPI_REQUEST_NULL"));
}

// All slots of an array; nothing when something is not known or wrong.
std::optional<std::vector<Slot>> slots_of(Call& call, const Value& array, const Value& count, CallResult& otherwise) {
  std::vector<Slot> slots;
  const auto n = number(count);
  if (!n || *n < 0 || *n > 100000) {
    otherwise = not_known(call, "the number of requests of `" + call.name + "` is not known");
    return std::nullopt;
  }
  for (size_t i = 0; i < static_cast<size_t>(*n); ++i) {
    slots.push_back(slot_at(call, array, i));
    if (slots.back().is_refused) {
      otherwise = stop(call);
      return std::nullopt;
    }
    if (!slots.back().handle) {
      otherwise = not_known(call, "a request of `" + call.name + "` is not known");
      return std::nullopt;
    }
  }
  return slots;
}

std::vector<uint32_t> operations_of(const std::vector<Slot>& slots) {
  std::vector<uint32_t> operations;
  for (const Slot& s : slots)
    if (is_active(s)) operations.insert(operations.end(), s.request->operations.begin(), s.request->operations.end());
  return operations;
}

void complete_all(World& world, Machine& m, const Value& array, size_t count, const Value& statuses) {
  for (size_t i = 0; i < count; ++i) {
    Slot s = slot_in(world, m, array, i);
    complete(world, m, s, statuses, i);
  }
}

CallResult wait_all_of(Call& call, const Value& array, const Value& count, const Value& statuses,
                       std::optional<Value> flag) {
  CallResult otherwise;
  const auto slots = slots_of(call, array, count, otherwise);
  if (!slots) return otherwise;
  World& world = call.world;
  Machine& m = call.m;
  const size_t n = slots->size();
  const CallResult waits = wait_for(call, operations_of(*slots),
                                    [&world, &m, array, n, statuses] { complete_all(world, m, array, n, statuses); });
  return flag ? ask(call, *flag) : waits;
}

CallResult wait_one(Call& call) { return wait_all_of(call, call.at(0), machine::integer(1), call.at(1), std::nullopt); }
CallResult wait_all(Call& call) { return wait_all_of(call, call.at(1), call.at(0), call.at(2), std::nullopt); }
CallResult test_one(Call& call) { return wait_all_of(call, call.at(0), machine::integer(1), call.at(2), call.at(1)); }
CallResult test_all(Call& call) { return wait_all_of(call, call.at(1), call.at(0), call.at(3), call.at(2)); }

// Where a call says which requests are done: any, the first one, or some, all of them.
struct Some {
  Value array = {}, index = {}, status = {};
  std::optional<Value> count = {};  // some
};

// The network decides which of several is done first: in one of two worlds the call comes late, when all that can
// be done is, and returns the last one alone.
bool tests_late(World& world) {
  if (!world.last_ones_first) world.last_ones_first = choose(world, 2, false) == 1;
  return *world.last_ones_first;
}

CallResult wait_some_of(Call& call, const Some& where, const Value& count, bool may_wait) {
  CallResult otherwise;
  const auto slots = slots_of(call, where.array, count, otherwise);
  if (!slots) return otherwise;
  World& world = call.world;
  Machine& m = call.m;
  std::vector<std::pair<size_t, uint32_t>> active;  // place in the array, request
  for (size_t i = 0; i < slots->size(); ++i)
    if (is_active((*slots)[i])) active.emplace_back(i, (*slots)[i].handle->id);
  const bool is_late = may_wait && active.size() > 1 && tests_late(world);
  if (is_late) std::reverse(active.begin(), active.end());
  const CallResult waits = wait_for(call, operations_of(*slots), [&world, &m, active, where, is_late] {
    size_t found = 0;
    for (const auto& [i, id] : active) {
      if (!is_done(world, world.requests[id]) || (found && (!where.count || is_late))) continue;
      Slot s = slot_in(world, m, where.array, i);
      s.request = &world.requests[id];
      complete(world, m, s, where.status, found);
      if (where.index.points())
        machine::store(m, machine::pointer(where.index.object, where.index.number + static_cast<int64_t>(4 * found)), 4,
                       machine::integer(static_cast<int64_t>(i)));
      ++found;
    }
    if (where.count)
      machine::store(m, *where.count, 4, machine::integer(active.empty() ? kUndefined : static_cast<int64_t>(found)));
    else if (!found)
      machine::store(m, where.index, 4, machine::integer(kUndefined));
  });
  call.rank.waiting->is_ready = [&world, active] {
    return active.empty() || std::any_of(active.begin(), active.end(),
                                         [&](const auto& a) { return is_done(world, world.requests[a.second]); });
  };
  call.rank.waiting->is_patient = is_late;
  return waits;
}

CallResult wait_any(Call& call) {
  return wait_some_of(call, {.array = call.at(1), .index = call.at(2), .status = call.at(3)}, call.at(0), true);
}

CallResult test_any(Call& call) {
  const CallResult waits =
      wait_some_of(call, {.array = call.at(1), .index = call.at(2), .status = call.at(4)}, call.at(0), false);
  return waits.kind == CallResult::Kind::Blocked ? ask(call, call.at(3)) : waits;
}

CallResult some_of(Call& call, bool may_wait) {
  return wait_some_of(call, {.array = call.at(1), .index = call.at(3), .status = call.at(4), .count = call.at(2)},
                      call.at(0), may_wait);
}

CallResult wait_some(Call& call) { return some_of(call, true); }

CallResult test_some(Call& call) {
  const CallResult waits = some_of(call, false);
  return waits.kind == CallResult::Kind::Blocked ? answer_no(call, call.at(2)) : waits;
}

CallResult start_request(Call& call, const Slot& s) {
  if (!s.handle) return not_known(call, "the request of `" + call.name + "` is not known");
  if (s.handle->is_null || !s.request) return refuse<Fact::NullRequestStarted>(call);
  Request& r = *s.request;
  if (!r.is_persistent) {
    Problem& p = invalid<Fact::StartedByItself>(call, r.call);
    add_note<Fact::RequestMadeHere>(call.world, p, r.place);
    return stop(call);
  }
  if (r.is_active) {
    Problem& p = invalid<Fact::StartedTwice>(call);
    add_note<Fact::StartedBefore>(call.world, p, r.start_place);
    return stop(call);
  }
  const uint32_t id = s.handle->id;
  auto operations = r.start();
  Request& again = call.world.requests[id];
  again.operations = std::move(operations);
  again.is_active = true;
  again.start_place = call.place;
  return success();
}

CallResult start_all_of(Call& call, const Value& array, const Value& count) {
  CallResult otherwise;
  const auto slots = slots_of(call, array, count, otherwise);
  if (!slots) return otherwise;
  note_step<Fact::Named>(call);
  for (size_t i = 0; i < slots->size(); ++i) {
    const CallResult started = start_request(call, slot_at(call, array, i));
    if (started.kind != CallResult::Kind::Value) return started;
  }
  return success();
}

CallResult start_request(Call& call) { return start_all_of(call, call.at(0), machine::integer(1)); }
CallResult start_all(Call& call) { return start_all_of(call, call.at(1), call.at(0)); }

CallResult free_request(Call& call) {
  CallResult otherwise;
  const auto slots = slots_of(call, call.at(0), machine::integer(1), otherwise);
  if (!slots) return otherwise;
  const Slot& s = slots->front();
  if (s.handle->is_null || !s.request) return refuse<Fact::NullRequestFreed>(call);
  Request& r = *s.request;
  if (r.is_active) {
    const bool receives = std::any_of(r.operations.begin(), r.operations.end(), [&](uint32_t o) {
      return call.world.operations[o].kind != Operation::Kind::Send;
    });
    for (const uint32_t o : r.operations) {
      call.world.operations[o].is_freed = true;
      if (call.world.operations[o].is_matched) release(call.world, o);
    }
    if (receives || r.is_persistent) {
      Problem& p = receives ? invalid<Fact::FreedWhileFilled>(call) : invalid<Fact::FreedWhileRead>(call);
      add_note<Fact::StartedBefore>(call.world, p, r.start_place);
    }
  }
  r.is_freed = true;
  s.handle->is_freed = true;
  store_at(call, call.at(0), 0, 8, null_handle(call.m, "MPI_REQUEST_NULL"));
  return success();
}

CallResult cancel(Call& call) {
  CallResult otherwise;
  const auto slots = slots_of(call, call.at(0), machine::integer(1), otherwise);
  if (!slots) return otherwise;
  const Slot& s = slots->front();
  if (!is_active(s)) return refuse<Fact::CancelledInactive>(call);
  for (const uint32_t id : s.request->operations) {
    Operation& o = call.world.operations[id];
    if (o.is_matched) continue;
    o.is_cancelled = o.is_done = true;
    std::erase(call.world.open_sends, id);
    std::erase(call.world.open_receives, id);
  }
  return success();
}

CallResult request_status(Call& call) {
  const Handle* h = handle_at(call, call.at(0));
  if (!h) return not_known(call, "the request of `" + call.name + "` is not known");
  const bool is_idle = h->is_null || !call.world.requests[h->id].is_active;
  const std::vector<uint32_t> operations = is_idle ? std::vector<uint32_t>{} : call.world.requests[h->id].operations;
  // The request stays, but what it says is done holds no memory any more.
  wait_for(call, operations, [&world = call.world, rank = call.m.rank, operations, status = call.at(2)] {
    if (operations.empty()) write_status(world, rank, status, 0, kAnySource, kAnyTag, 0);
    for (const uint32_t o : operations) {
      finish_operation(world, o);
      write_status_of(world, world.operations[o], status, 0);
    }
  });
  return ask(call, call.at(1));
}

constexpr std::array kRequestCalls = {
    Signature{"Wait", "qS", wait_one},
    Signature{"Waitall", "nqS", wait_all},
    Signature{"Waitany", "nq.S", wait_any},
    Signature{"Waitsome", "nq..S", wait_some},
    Signature{"Test", "q.S", test_one},
    Signature{"Testall", "nq.S", test_all},
    Signature{"Testany", "nq..S", test_any},
    Signature{"Testsome", "nq..S", test_some},
    Signature{"Start", "q", start_request},
    Signature{"Startall", "nq", start_all},
    Signature{"Request_free", "q", free_request},
    Signature{"Cancel", "q", cancel},
    Signature{"Request_get_status", "...", request_status},
};

}  // namespace

std::span<const Signature> request_calls() { return kRequestCalls; }

}  // namespace ranklint::mpi_check
