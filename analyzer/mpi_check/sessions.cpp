// Sessions: MPI without `MPI_Init`, from sets of processes that have names; and programs that are started by this one.
//
// What the started ones do is not known: a rank that communicates with them is not followed any further.
#include <array>

#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

namespace {

constexpr std::array<std::string_view, 2> kSets = {"mpi://WORLD", "mpi://SELF"};  // that every library has

CallResult init_session(Call& call) {
  give_handle(call, call.at(2), HandleClass::Session, 0);
  ++call.rank.sessions;
  return success();
}

bool check_session(Call& call) { return check_handle(call, call.at(0), HandleClass::Session); }

CallResult finalize_session(Call& call) {
  const Value v = load_at(call, call.at(0), 0, 8);
  if (!check_handle(call, v, HandleClass::Session)) return stop(call);
  if (Handle* h = handle_of(call.world, call.m, v)) h->is_freed = true;
  store_at(call, call.at(0), 0, 8, null_handle(call.m, "MPI_SESSION_NULL"));
  --call.rank.sessions;
  note_step<Fact::Named>(call);
  return success();
}

CallResult count_sets(Call& call) {
  if (!check_session(call)) return stop(call);
  store_at(call, call.at(2), 0, 4, machine::integer(kSets.size()));
  return success();
}

// session, info, which, length (in and out), name
CallResult name_set(Call& call) {
  if (!check_session(call)) return stop(call);
  const auto which = number(call.at(2)), room = number(load_at(call, call.at(3), 0, 4));
  if (!which || !room) return not_known(call, "which set of processes is asked for is not known");
  if (*which < 0 || *which >= static_cast<int64_t>(kSets.size()))
    return not_known(call, "a set of processes of the library's own");
  const std::string_view name = kSets[static_cast<size_t>(*which)];
  for (int64_t i = 0; i < *room && i <= static_cast<int64_t>(name.size()); ++i)
    store_at(
        call, call.at(4), i, 1,
        machine::integer(i + 1 < *room && i < static_cast<int64_t>(name.size()) ? name[static_cast<size_t>(i)] : 0));
  store_at(call, call.at(3), 0, 4, machine::integer(static_cast<int64_t>(name.size()) + 1));
  return success();
}

CallResult tell_info(Call& call) {
  if (!check_session(call)) return stop(call);
  give_handle(call, call.at(call.arguments.size() - 1), HandleClass::Info, 0);
  return success();
}

// session, name, newgroup
CallResult group_of_set(Call& call) {
  if (!check_session(call)) return stop(call);
  const std::string name = machine::text_at(call.m, call.at(1)).value_or("");
  if (name == kSets[0]) return give_group(call, call.at(2), call.world.comms[0].members);
  if (name == kSets[1]) return give_group(call, call.at(2), {call.m.rank});
  return not_known(call, "a set of processes of the library's own");
}

// ---- programs that are started ------------------------------------------------------------------------------------

CallResult spawn_on(Call& call, const Value& processes, const Value& errors) {
  const auto comm = comm_of(call, call.argument('c'));
  if (!comm) return not_known(call, "the communicator of `" + call.name + "` is not known");
  const auto root = number(call.argument('r'));
  if (const auto n = number(processes); n && *n < 0 && root == rank_in(call.world.comms[*comm].members, call.m.rank))
    return refuse<Fact::NegativeProcesses>(call, *n);
  if (errors.points()) machine::forget(call.m.at(errors.object), errors.number, 4);
  Part part{.rank = call.m.rank, .root = root.value_or(kUndefined)};
  part.values = {call.argument('C')};
  return creation_with(call, *comm, std::move(part));
}

CallResult spawn(Call& call) { return spawn_on(call, call.at(2), call.at(7)); }
CallResult spawn_several(Call& call) { return spawn_on(call, machine::unknown(), call.at(8)); }

constexpr std::array kSessionCalls = {
    Signature{"Session_init", "I..", init_session},
    Signature{"Session_finalize", ".", finalize_session},
    Signature{"Session_get_num_psets", ".I.", count_sets},
    Signature{"Session_get_nth_pset", ".I...", name_set},
    Signature{"Session_get_info", "..", tell_info},
    Signature{"Session_get_pset_info", "...", tell_info},
    Signature{"Group_from_session_pset", "...", group_of_set},
    Signature{"Comm_spawn", "...IrcC.", spawn},
    Signature{"Comm_spawn_multiple", ".....rcC.", spawn_several},
};

}  // namespace

void complete_spawn(World& world, Collective& c) {
  const std::vector<uint32_t> members = world.comms[c.comm].members;
  const uint32_t made = add_comm(world, members, c.name);
  world.comms[made].is_with_started = true;
  for (const auto& [rank, part] : c.parts) give_member(world, part, 0, made);
}

std::span<const Signature> session_calls() { return kSessionCalls; }

}  // namespace ranklint::mpi_check
