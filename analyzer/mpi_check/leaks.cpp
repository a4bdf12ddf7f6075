// What is left when the ranks have finalized.
#include <algorithm>

#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

namespace {

void leaked_handle(World& world, uint32_t rank, const Handle& h) {
  struct Kind {
    HandleClass handle_class;
    const char *word, *call;
  };
  static constexpr Kind kKinds[] = {{HandleClass::Comm, "communicator", "MPI_Comm_free"},
                                    {HandleClass::Group, "group", "MPI_Group_free"},
                                    {HandleClass::Type, "datatype", "MPI_Type_free"},
                                    {HandleClass::Operator, "operator", "MPI_Op_free"},
                                    {HandleClass::Win, "window", "MPI_Win_free"},
                                    {HandleClass::File, "file", "MPI_File_close"},
                                    {HandleClass::Info, "info object", "MPI_Info_free"},
                                    {HandleClass::Errhandler, "error handler", "MPI_Errhandler_free"},
                                    {HandleClass::Message, "message", "MPI_Mrecv"},
                                    {HandleClass::Session, "session", "MPI_Session_finalize"}};
  for (const Kind& k : kKinds)
    if (k.handle_class == h.handle_class)
      report(world, ProblemKind::ResourceLeak, rank, h.place,
             std::string("the ") + k.word + " of `" + h.name + "` is never freed by " + rank_name(rank),
             std::string("call `") + k.call + "` before `MPI_Finalize`");
}

void leaked_request(World& world, uint32_t rank, const Handle& h) {
  const Request& r = world.requests[h.id];
  if (r.is_freed || r.is_completed) return;
  if (r.is_active) {
    Problem& p = report(world, ProblemKind::RequestNotCompleted, rank, r.start_place,
                        "the request of `" + r.call + "` on " + rank_name(rank) + " is never waited for",
                        "call `MPI_Wait` on it before its memory is used and before `MPI_Finalize`");
    if (r.start_place != r.place) add_note(world, p, r.place, "the request is made here");
  } else if (r.is_persistent) {
    report(world, ProblemKind::ResourceLeak, rank, r.place,
           "the persistent request of `" + r.call + "` is never freed by " + rank_name(rank),
           "call `MPI_Request_free` before `MPI_Finalize`");
  }
}

void check_messages(World& world) {
  for (const uint32_t id : world.open_sends) {
    const Operation& o = world.operations[id];
    if (o.is_cancelled) continue;
    report(world, ProblemKind::UnmatchedMessage, o.rank, o.place,
           "what `" + o.call + "` of " + rank_name(o.rank) + " sends to rank " + std::to_string(o.peer) + " with tag " +
               std::to_string(o.tag) + " is never received",
           "post the receive that belongs to it");
  }
}

}  // namespace

void check_end(World& world) {
  for (uint32_t r = 0; r < world.size(); ++r) {
    const Rank& rank = world.ranks[r];
    if (rank.is_initialized && !rank.is_finalized)
      report(world, ProblemKind::OutsideMpi, r,
             rank.machine.program->functions[rank.machine.program->main].steps.back().place,
             rank_name(r) + " ends without `MPI_Finalize`", "call `MPI_Finalize` on every path to the end");
    for (const auto& [object, place] : rank.allocated)
      report(world, ProblemKind::ResourceLeak, r, place,
             "the memory of `MPI_Alloc_mem` is never freed by " + rank_name(r),
             "call `MPI_Free_mem` before `MPI_Finalize`");
    for (const Key& key : rank.keys)
      if (!key.is_freed && !key.has_function)
        report(world, ProblemKind::ResourceLeak, r, key.place,
               "the key of `" + key.call + "` is never freed by " + rank_name(r),
               "call `MPI_Comm_free_keyval` before `MPI_Finalize`");
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
