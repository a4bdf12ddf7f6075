// Windows are made, queried and freed.
#include <algorithm>
#include <array>

#include "analyzer/mpi_check/windows.h"

namespace ranklint::mpi_check {

Win* win_of(Call& call) {
  const Handle* h = handle_at(call, call.argument('w'));
  return h && h->handle_class == HandleClass::Win && !h->is_null ? &call.world.wins[h->id] : nullptr;
}

uint32_t win_id(Call& call) { return handle_at(call, call.argument('w'))->id; }

uint32_t own_rank(const World& world, const Win& win, uint32_t rank) {
  return static_cast<uint32_t>(rank_in(world.comms[win.comm].members, rank));
}

WinSide& side_of(Call& call, Win& win) { return win.sides[own_rank(call.world, win, call.m.rank)]; }

CallResult no_window(Call& call) { return not_known(call, "the window of `" + call.name + "` is not known"); }

bool check_target(Call& call, const Win& win, const Value& target) {
  const auto t = number(target);
  const size_t size = win.sides.size();
  if (!t || *t == kProcNull || (*t >= 0 && static_cast<size_t>(*t) < size)) return true;
  return reject<Fact::TargetOutside>(call, *t, size, size - 1);
}

namespace {

// values: base, size, unit, win, place of the base pointer
CallResult make_window(Call& call, std::vector<Value> values) {
  const auto comm = comm_of(call, call.argument('c'));
  if (!comm) return not_known(call, "the communicator of `" + call.name + "` is not known");
  if (const auto size = number(values[1]); size && *size < 0) return refuse<Fact::NegativeSize>(call, *size);
  if (const auto unit = number(values[2]); unit && *unit <= 0) {
    return refuse<Fact::InvalidUnit>(call, *unit);
  }
  return creation(call, *comm, std::move(values));
}

CallResult win_create(Call& call) {
  const auto size = number(call.at(1));
  if (call.at(0).is_null() && size && *size > 0) return refuse<Fact::NullWindowMemory>(call, *size);
  return make_window(call, {call.at(0), call.at(1), call.at(2), call.at(5), {}});
}

CallResult win_allocate_shared(Call& call) {
  return make_window(call, {machine::unknown(), call.at(0), call.at(1), call.at(5), call.at(4)});
}

CallResult win_allocate(Call& call) {
  const auto size = number(call.at(0));
  const ObjectId id = machine::make_object(call.m, machine::Object::Life::Heap,
                                           size && *size > 0 ? static_cast<uint64_t>(*size) : 0, machine::Scalar::None);
  call.m.at(id).size_known = size.has_value();
  store_at(call, call.at(4), 0, 8, machine::pointer(id));
  return make_window(call, {machine::pointer(id), call.at(0), call.at(1), call.at(5), {}});
}

CallResult shared_query(Call& call) {
  Win* win = win_of(call);
  const auto rank = number(call.at(1));
  if (!win || !rank) return no_window(call);
  if (!check_target(call, *win, call.at(1))) return stop(call);
  if (!win->memory) return refuse<Fact::UnsharedWindow>(call);
  return tell_shared(call, *win, *rank);
}

CallResult win_dynamic(Call& call) {
  return make_window(call, {machine::pointer(0), machine::unknown(), machine::integer(1), call.at(2), {}});
}

void create(World& world, Collective& c) {
  const std::vector<uint32_t> members = world.comms[c.comm].members;
  Win win{.comm = add_comm(world, members, {})};
  world.comms[win.comm].owner = HandleClass::Win;
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
    const Value handle =
        make_handle(world, m, HandleClass::Win, static_cast<uint32_t>(world.wins.size() - 1), o.call, o.place);
    if (part.values[3].points()) machine::store(m.at(part.values[3].object), part.values[3].number, 8, handle);
  }
}

CallResult attach_memory(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  if (!win->is_dynamic) return refuse<Fact::AttachedToFixedWindow>(call);
  const Value base = call.at(1);
  if (base.points()) ++call.m.at(base.object).watches;
  side_of(call, *win).attached.push_back({.object = base.points() ? base.object : 0, .begin = base.number});
  return success();
}

CallResult detach_memory(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  const Value base = call.at(1);
  auto& attached = side_of(call, *win).attached;
  // What is not known may be any of them.
  const auto found = std::find_if(attached.begin(), attached.end(), [&](const Attached& a) {
    return !base.points() || !a.object || (a.object == base.object && a.begin == base.number);
  });
  if (found == attached.end()) return refuse<Fact::DetachedUnattached>(call);
  if (found->object) --call.m.at(found->object).watches;
  attached.erase(found);
  return success();
}

CallResult win_free(Call& call) {
  const Value v = load_at(call, call.at(0), 0, 8);
  if (!check_handle(call, v, HandleClass::Win)) return stop(call);
  Handle* h = handle_of(call.world, call.m, v);
  if (!h) return no_window(call);
  const uint32_t id = h->id;
  Win& win = call.world.wins[id];
  const CallResult open = open_epoch(call, win);
  if (open.kind != CallResult::Kind::Value) return open;
  WinSide& side = side_of(call, win);
  if (side.is_exposed) return misuse<Fact::ExposureNotEnded>(call, side.exposure_place);
  if (has_open_access(win, call.m.rank)) return misuse<Fact::FreedWithAccesses>(call, side.epoch_place);
  h->is_freed = true;
  store_at(call, call.at(0), 0, 8, null_handle(call.m, "MPI_WIN_NULL"));
  side.is_freed = true;
  return creation(call, win.comm, {});
}

CallResult get_group(Call& call) {
  Win* win = win_of(call);
  if (!win) return no_window(call);
  return give_group(call, call.at(1), call.world.comms[win->comm].members);
}

constexpr std::array kWindowCalls = {
    Signature{"Win_create", "...Ic.", win_create},
    Signature{"Win_allocate", "..Ic..", win_allocate},
    Signature{"Win_create_dynamic", "Ic.", win_dynamic},
    Signature{"Win_allocate_shared", "..Ic..", win_allocate_shared},
    Signature{"Win_shared_query", "w....", shared_query},
    Signature{"Win_free", ".", win_free},
    Signature{"Win_get_group", "w.", get_group},
    Signature{"Win_set_name", "w.", nothing},
    Signature{"Win_attach", "w..", attach_memory},
    Signature{"Win_detach", "w.", detach_memory},
};

}  // namespace

// The memory of a window goes before the window does.
void check_window_memory(World& world, Machine& m, const machine::Access& access) {
  if (world.of(m).is_finalized) return;
  for (const auto& [object, h] : world.of(m).handles) {
    if (h.handle_class != HandleClass::Win || h.is_null || h.is_freed) continue;
    const Win& win = world.wins[h.id];
    const WinSide& side = win.sides[own_rank(world, win, m.rank)];
    const bool is_attached = std::any_of(side.attached.begin(), side.attached.end(),
                                         [&](const Attached& a) { return a.object == access.object; });
    if (side.is_freed || win.memory || (side.base.object != access.object && !is_attached)) continue;
    const Mark made_at = mark_of(world, h.place);
    Problem& p = is_attached ? report<Fact::AttachedMemoryGone>(world, m.rank, m.place(), h.name, made_at)
                             : report<Fact::WindowMemoryGone>(world, m.rank, m.place(), h.name, made_at);
    add_note<Fact::WindowMadeHere>(world, p, h.place);
    return;
  }
}

void complete_window_call(World& world, Collective& c) {
  if (c.name == "Win_fence") open_fenced(world, c);
  if (c.name == "Win_create" || c.name == "Win_allocate" || c.name == "Win_allocate_shared" ||
      c.name == "Win_create_dynamic")
    create(world, c);
}

std::span<const Signature> window_calls() { return kWindowCalls; }

}  // namespace ranklint::mpi_check
