// The memory of a window that its ranks share: `MPI_Win_allocate_shared`.
//
// There is one object for all, in which the parts of the ranks are contiguous, and an object of each rank
// that stands for it. What ranks do there without a call is an access like any other: window_accesses.cpp says which
// accesses conflict.
#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

namespace {

ObjectId stand_in(SharedMemory& memory, Machine& m) {
  const ObjectId id =
      machine::make_object(m, machine::Object::Life::Heap, memory.object.size_bytes, machine::Scalar::None);
  m.objects[id].stands_for = &memory.object;
  m.objects[id].watches = 1;
  return id;
}

// The part of rank `of`, as `m` sees it.
Value part_of(const Win& win, const Machine& m, size_t of) {
  return machine::pointer(win.memory->stand_ins.at(m.rank), win.sides[of].base.number);
}

}  // namespace

void share_memory(World& world, Win& win, const Collective& c) {
  win.memory = std::make_shared<SharedMemory>();
  machine::Object& object = win.memory->object;
  object.life = machine::Object::Life::Heap;
  for (WinSide& side : win.sides) {
    if (side.size_bytes < 0) return lose(world, "how much memory the ranks share is not known");
    side.base = machine::pointer(0, static_cast<int64_t>(object.size_bytes));
    object.size_bytes += static_cast<uint64_t>(side.size_bytes);
  }
  for (size_t i = 0; i < win.sides.size(); ++i) {
    const uint32_t rank = world.comms[win.comm].members[i];
    Machine& m = world.ranks[rank].machine;
    win.sides[i].base.object = win.memory->stand_ins[rank] = stand_in(*win.memory, m);
    if (const Value& to = c.parts.at(rank).values[4]; to.points())
      machine::store(m.at(to.object), to.number, 8, part_of(win, m, i));
  }
}

// Of `MPI_PROC_NULL`: the first that has any.
CallResult tell_shared(Call& call, const Win& win, int64_t rank) {
  size_t of = rank == kProcNull ? 0 : static_cast<size_t>(rank);
  while (rank == kProcNull && of + 1 < win.sides.size() && !win.sides[of].size_bytes) ++of;
  store_at(call, call.at(2), 0, 8, machine::integer(win.sides[of].size_bytes));
  store_at(call, call.at(3), 0, 4, machine::integer(win.sides[of].unit));
  store_at(call, call.at(4), 0, 8, part_of(win, call.m, of));
  return success();
}

std::optional<uint32_t> owner_of_shared(const Win& win, const Machine& m, const machine::Access& access) {
  const auto own = win.memory->stand_ins.find(m.rank);
  if (own == win.memory->stand_ins.end() || own->second != access.object) return std::nullopt;
  for (uint32_t i = 0; i < win.sides.size(); ++i)
    if (access.offset >= win.sides[i].base.number && access.offset < win.sides[i].base.number + win.sides[i].size_bytes)
      return i;
  return std::nullopt;
}

}  // namespace ranklint::mpi_check
