// What is left when the ranks have finalized.
#include <algorithm>

#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

namespace {

void leaked_handle(World& world, uint32_t rank, const Handle& h) {
  struct Kind {
    HandleClass handle_class;
    const char* call;
  };
  static constexpr Kind kKinds[] = {
      {HandleClass::Comm, "MPI_Comm_free"}, {HandleClass::Group, "MPI_Group_free"},
      {HandleClass::Type, "MPI_Type_free"}, {HandleClass::Operator, "MPI_Op_free"},
      {HandleClass::Win, "MPI_Win_free"},   {HandleClass::File, "MPI_File_close"},
      {HandleClass::Info, "MPI_Info_free"}, {HandleClass::Errhandler, "MPI_Errhandler_free"},
      {HandleClass::Message, "MPI_Mrecv"},  {HandleClass::Session, "MPI_Session_finalize"}};
  for (const Kind& k : kKinds)
    if (k.handle_class == h.handle_class)
      report<Fact::NeverFreed>(world, rank, h.place, h.name, class_phrase(h.handle_class), rank, k.call);
}

void leaked_request(World& world, uint32_t rank, const Handle& h) {
  const Request& r = world.requests[h.id];
  if (r.is_freed || r.is_completed) return;
  if (r.is_active) {
    Problem& p = report<Fact::NeverWaitedFor>(world, rank, r.start_place, r.call, rank);
    if (r.start_place != r.place) add_note<Fact::UnwaitedMadeHere>(world, p, r.place);
  } else if (r.is_persistent) {
    report<Fact::RequestNeverFreed>(world, rank, r.place, r.call, rank);
  }
}

void check_messages(World& world) {
  for (const uint32_t id : world.open_sends) {
    const Operation& o = world.operations[id];
    if (o.is_cancelled) continue;
    report<Fact::NeverReceived>(world, o.rank, o.place, o.call, o.rank, o.peer, o.tag);
  }
}

}  // namespace

void check_end(World& world) {
  for (uint32_t r = 0; r < world.size(); ++r) {
    const Rank& rank = world.ranks[r];
    if (rank.is_initialized && !rank.is_finalized)
      report<Fact::NeverFinalized>(world, r,
                                   rank.machine.program->functions[rank.machine.program->main].steps.back().place, r);
    for (const auto& [object, place] : rank.allocated) report<Fact::MemoryNeverFreed>(world, r, place, r);
    for (const Key& key : rank.keys)
      if (!key.is_freed && !key.has_function) report<Fact::KeyNeverFreed>(world, r, key.place, key.call, r);
    for (const auto& [object, h] : rank.handles) {
      if (h.is_predefined || h.is_null || h.is_freed) continue;
      if (h.handle_class == HandleClass::Request)
        leaked_request(world, r, h);
      else
        leaked_handle(world, r, h);
    }
  }
  check_messages(world);
}

}  // namespace ranklint::mpi_check
