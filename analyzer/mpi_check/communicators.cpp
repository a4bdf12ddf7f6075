// Communicators: how they are made, queried and freed.
//
// Making one is a collective of its parent: its members are known when all have arrived.
#include <algorithm>
#include <array>
#include <map>

#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

namespace {

void give_comm(World& world, const Part& part, size_t where, Value handle) {
  Machine& m = world.ranks[part.rank].machine;
  const Value& to = part.values[where];
  if (to.points()) machine::store(m.at(to.object), to.number, 8, handle);
}

}  // namespace

void give_member(World& world, const Part& part, size_t where, uint32_t comm) {
  const Operation& o = world.operations[part.operation];
  give_comm(world, part, where,
            make_handle(world, world.ranks[part.rank].machine, HandleClass::Comm, comm, o.call, o.place));
}

void give_null(World& world, const Part& part, size_t where) {
  give_comm(world, part, where, null_handle(world.ranks[part.rank].machine, "MPI_COMM_NULL"));
}

namespace {

void give_all(World& world, Collective& c, size_t where, Topology topology = {}) {
  const std::vector<uint32_t> members = world.comms[c.comm].members;
  const uint32_t made = add_comm(world, members, c.name);
  world.comms[made].topology = std::move(topology);
  for (const auto& [rank, part] : c.parts) give_member(world, part, where, made);
}

// values: newcomm, the one that is duplicated
void give_duplicates(World& world, Collective& c) {
  const Comm old = world.comms[c.comm];
  if (old.remote.empty()) return give_all(world, c, 0, old.topology);
  const uint32_t a = add_comm(world, old.members, c.name), b = add_comm(world, old.remote, c.name);
  world.comms[a].remote = old.remote;
  world.comms[b].remote = old.members;
  world.comms[b].channel = world.comms[a].channel;
  for (const auto& [rank, part] : c.parts) give_member(world, part, 0, rank_in(old.members, rank) >= 0 ? a : b);
}

void complete_dup(World& world, Collective& c) {
  give_duplicates(world, c);
  for (const auto& [rank, part] : c.parts)
    if (const Value& to = part.values[0]; to.points())
      copy_attributes(world, rank, part.values[1],
                      machine::load(world.ranks[rank].machine.at(to.object), to.number, 8));
}

// values: colour, key, newcomm
void complete_split(World& world, Collective& c) {
  std::map<int64_t, std::vector<std::tuple<int64_t, int64_t, uint32_t>>> colours;
  const std::vector<uint32_t> members = world.comms[c.comm].members;
  for (const auto& [rank, part] : c.parts) {
    const auto colour = number(part.values[0]), key = number(part.values[1]);
    if (!colour) return lose(world, "the colour of a split is not known");
    if (*colour != kUndefined) colours[*colour].emplace_back(key.value_or(0), rank_in(members, rank), rank);
  }
  std::map<uint32_t, uint32_t> made;
  for (auto& [colour, list] : colours) {
    std::sort(list.begin(), list.end());
    std::vector<uint32_t> part;
    for (const auto& [key, at, rank] : list) part.push_back(rank);
    const uint32_t id = add_comm(world, part, c.name);
    for (const uint32_t rank : part) made[rank] = id;
  }
  for (const auto& [rank, part] : c.parts)
    made.contains(rank) ? give_member(world, part, 2, made[rank]) : give_null(world, part, 2);
}

// The ranks that get a part have to ask for the same kind of parts. values: colour, key, newcomm, type
bool same_split_type(World& world, const Collective& c) {
  const Part* first = nullptr;
  for (const auto& [rank, part] : c.parts) {
    const auto type = number(part.values[3]);
    if (!type || *type == kUndefined) continue;
    if (first && type != number(first->values[3])) {
      differ(world, *first, part, state<Fact::SplitType>(), number(first->values[3]).value_or(0), *type);
      world.is_stopped = true;
      return false;
    }
    if (!first) first = &part;
  }
  return true;
}

// values: group, newcomm. Every rank names the group it belongs to.
// A rank that is in a group that another rank gives has to give that group too.
bool groups_agree(World& world, const Collective& c, const std::map<uint32_t, std::vector<uint32_t>>& groups) {
  for (const auto& [rank, group] : groups)
    for (const uint32_t member : group) {
      const auto there = groups.find(member);
      if (there == groups.end() || there->second == group) continue;
      differ(world, c.parts.at(rank), c.parts.at(member), state<Fact::GroupOfRank>(),
             Phrase(state<Fact::OneOfSize>(group.size())), Phrase(state<Fact::OneOfSize>(there->second.size())));
      world.is_stopped = true;
      return false;
    }
  return true;
}

void complete_create(World& world, Collective& c) {
  std::map<uint32_t, std::vector<uint32_t>> groups;
  for (const auto& [rank, part] : c.parts) {
    Handle* h = handle_of(world, world.ranks[rank].machine, part.values[0]);
    if (!h) return lose(world, "the group of a communicator is not known");
    groups[rank] = h->is_null ? std::vector<uint32_t>{} : world.groups[h->id];
  }
  if (!groups_agree(world, c, groups)) return;
  std::map<std::vector<uint32_t>, uint32_t> made;
  for (const auto& [rank, part] : c.parts) {
    const std::vector<uint32_t>& group = groups[rank];
    if (rank_in(group, rank) < 0) {
      give_null(world, part, 1);
      continue;
    }
    auto [it, is_new] = made.try_emplace(group, 0);
    if (is_new) it->second = add_comm(world, group, c.name);
    give_member(world, part, 1, it->second);
  }
}

// values: high, newcomm; of the inter-communicator that is merged
void complete_merge(World& world, Collective& c) {
  const Comm inter = world.comms[c.comm];
  auto high = [&](uint32_t rank) { return number(c.parts.at(rank).values[0]).value_or(0) != 0; };
  const bool local_last = high(inter.members.front()) && !high(inter.remote.front());
  std::vector<uint32_t> members = local_last ? inter.remote : inter.members;
  const std::vector<uint32_t>& last = local_last ? inter.members : inter.remote;
  members.insert(members.end(), last.begin(), last.end());
  const uint32_t made = add_comm(world, members, c.name);
  for (const auto& [rank, part] : c.parts) give_member(world, part, 1, made);
}

CallResult create_on(Call& call, std::vector<Value> values) {
  const auto comm = comm_of(call, call.argument('c'));
  if (!comm) return not_known(call, "the communicator of `" + call.name + "` is not known");
  return creation(call, *comm, std::move(values));
}

CallResult dup_communicator(Call& call) { return create_on(call, {call.at(1), call.at(0)}); }
CallResult idup(Call& call) {
  const auto comm = comm_of(call, call.at(0));
  if (!comm) return not_known(call, "the communicator of `MPI_Comm_idup` is not known");
  Part part{.rank = call.m.rank};
  part.values = {call.at(1), call.at(0)};
  note_step<Fact::CallOn>(call, comm_name(call.world.comms[*comm]));
  const auto id = arrive(call, *comm, "Comm_idup", std::move(part));
  if (!id) return stop(call);
  hold(call.world, *id, {.address = call.at(1), .count = 1, .type = predefined_type(*find_basic("MPI_AINT"))},
       true);  // of a handle's size
  make_request(call, call.at(2), {*id});
  return success();
}
CallResult dup_with_info(Call& call) { return create_on(call, {call.at(2), call.at(0)}); }
CallResult split(Call& call) {
  const auto colour = number(call.at(1));
  if (colour && *colour < 0 && *colour != kUndefined) return refuse<Fact::NegativeColour>(call, *colour);
  return create_on(call, {call.at(1), call.at(2), call.at(3)});
}
CallResult split_type(Call& call) {
  const auto type = number(call.at(1));
  if (type && *type != kUndefined && (*type < kFirstSplitType || *type > kLastSplitType))
    return refuse<Fact::UnknownSplitType>(call, *type);
  // All ranks of a small world may lie on one machine.
  return create_on(call, {type == kUndefined ? call.at(1) : machine::integer(0), call.at(2), call.at(4), call.at(1)});
}
CallResult create(Call& call) { return create_on(call, {call.at(1), call.at(2)}); }
CallResult merge(Call& call) {
  const auto comm = comm_of(call, call.at(0));
  if (comm && call.world.comms[*comm].remote.empty()) return refuse<Fact::OneGroupOnly>(call);
  return create_on(call, {call.at(1), call.at(2)});
}

// A rendezvous of the group alone: of the ranks that give the same members and the same arguments.
CallResult meet_members(Call& call, const std::vector<uint32_t>& members, const std::string& said,
                        const Value& newcomm) {
  const std::string name = call.name.substr(4) + " " + said;
  World& world = call.world;
  for (uint32_t i = 0; i < world.comms.size(); ++i)
    if (world.comms[i].name == name && world.comms[i].members == members) return creation(call, i, {newcomm});
  return creation(call, add_comm(world, members, name), {newcomm});
}

CallResult create_group(Call& call) {
  const Handle* h = handle_at(call, call.at(1));
  const auto comm = comm_of(call, call.at(0));
  const auto tag = number(call.at(2));
  if (!h || !comm || !tag) return not_known(call, "the group of `" + call.name + "` is not known");
  const std::vector<uint32_t> members = h->is_null ? std::vector<uint32_t>{} : call.world.groups[h->id];
  if (rank_in(members, call.m.rank) < 0) {
    store_at(call, call.at(3), 0, 8, null_handle(call.m, "MPI_COMM_NULL"));
    return success();
  }
  return meet_members(call, members, std::to_string(*comm) + " " + std::to_string(*tag), call.at(3));
}

// group, text, info, error handler, newcomm
CallResult create_from_group(Call& call) {
  const Handle* h = handle_at(call, call.at(0));
  if (!h || h->is_null) return not_known(call, "the group of `" + call.name + "` is not known");
  const std::vector<uint32_t> members = call.world.groups[h->id];
  if (rank_in(members, call.m.rank) < 0) return refuse<Fact::NotInGroup>(call, call.m.rank);
  return meet_members(call, members, machine::text_at(call.m, call.at(1)).value_or(""), call.at(4));
}

// Two groups meet through their leaders. values: local communicator, local leader, peer communicator, remote leader,
// tag, newcomm
CallResult intercomm_create(Call& call) {
  const auto local = comm_of(call, call.at(0));
  const auto leader = number(call.at(1));
  if (!local || !leader) return not_known(call, "the groups of `" + call.name + "` are not known");
  Comm& c = call.world.comms[*local];
  if (*leader < 0 || *leader >= static_cast<int64_t>(c.members.size()))
    return refuse<Fact::LeaderOutside>(call, *leader, c.members.size());
  const bool leads = rank_in(c.members, call.m.rank) == *leader;
  if (leads && !check_handle(call, call.at(2), HandleClass::Comm)) return stop(call);
  const Handle* peer = leads ? handle_at(call, call.at(2)) : nullptr;
  const auto remote = number(call.at(3));
  if (peer && remote && (*remote < 0 || *remote >= static_cast<int64_t>(call.world.comms[peer->id].members.size())))
    return refuse<Fact::RemoteLeaderOutside>(call, *remote, call.world.comms[peer->id].members.size());
  return creation(call, *local, {call.at(0), call.at(1), call.at(2), call.at(3), call.at(4), call.at(5)});
}

struct Side {
  std::vector<uint32_t> members = {};
  uint32_t leader = 0;
  int64_t remote_leader = -1;
  int64_t tag = 0;
  Collective* collective = nullptr;
};

std::optional<Side> side_of(World& world, Collective& c) {
  Side side{.members = world.comms[c.comm].members, .collective = &c};
  const auto leader = number(c.parts.begin()->second.values[1]);
  if (!leader || *leader < 0 || static_cast<size_t>(*leader) >= side.members.size()) return std::nullopt;
  side.leader = side.members[static_cast<size_t>(*leader)];
  const Part& part = c.parts.at(side.leader);
  Handle* peer = handle_of(world, world.ranks[side.leader].machine, part.values[2]);
  const auto remote = number(part.values[3]);
  if (!peer || peer->is_null || !remote || *remote < 0) return std::nullopt;
  const auto& peers = world.comms[peer->id].members;
  if (static_cast<size_t>(*remote) >= peers.size()) return std::nullopt;
  side.remote_leader = peers[static_cast<size_t>(*remote)];
  side.tag = number(part.values[4]).value_or(0);
  return side;
}

// The local part of one side is there: is the other one as well?
void complete_intercomm(World& world, Collective& c) {
  const auto own = side_of(world, c);
  if (!own) return lose(world, "the leaders of an inter-communicator are not known");
  for (Collective& other : world.collectives) {
    if (&other == &c || other.name != c.name || !other.is_done ||
        world.operations[other.parts.begin()->second.operation].is_matched)
      continue;
    const auto there = side_of(world, other);
    if (!there || there->leader != own->remote_leader || there->remote_leader != own->leader || there->tag != own->tag)
      continue;
    const uint32_t a = add_comm(world, own->members, "Intercomm_create"),
                   b = add_comm(world, there->members, "Intercomm_create");
    world.comms[a].remote = there->members;
    world.comms[b].remote = own->members;
    world.comms[b].channel = world.comms[a].channel;
    for (auto [side, comm] : {std::pair{&*own, a}, std::pair{&*there, b}})
      for (const auto& [rank, part] : side->collective->parts) {
        give_member(world, part, 5, comm);
        world.operations[part.operation].is_matched = world.operations[part.operation].is_done = true;
      }
    return;
  }
}

// ---- local calls ------------------------------------------------------------------------------------------------

const Comm* known_comm(Call& call, size_t at) {
  const auto id = comm_of(call, call.at(at));
  return id ? &call.world.comms[*id] : nullptr;
}

CallResult comm_rank(Call& call) {
  const Comm* c = known_comm(call, 0);
  if (!c) return not_known(call, "the communicator of `MPI_Comm_rank` is not known");
  store_at(call, call.at(1), 0, 4, machine::integer(rank_in(c->members, call.m.rank)));
  return success();
}

CallResult comm_size(Call& call) {
  const Comm* c = known_comm(call, 0);
  if (!c) return not_known(call, "the communicator of `MPI_Comm_size` is not known");
  store_at(call, call.at(1), 0, 4, machine::integer(static_cast<int64_t>(c->members.size())));
  return success();
}

CallResult comm_remote_size(Call& call) {
  const Comm* c = known_comm(call, 0);
  if (!c) return not_known(call, "the communicator of `MPI_Comm_remote_size` is not known");
  if (c->remote.empty()) return refuse<Fact::OneGroupOnly>(call);
  store_at(call, call.at(1), 0, 4, machine::integer(static_cast<int64_t>(c->remote.size())));
  return success();
}

CallResult comm_test_inter(Call& call) {
  const Comm* c = known_comm(call, 0);
  if (!c) return not_known(call, "the communicator of `MPI_Comm_test_inter` is not known");
  store_at(call, call.at(1), 0, 4, machine::integer(!c->remote.empty()));
  return success();
}

CallResult comm_compare(Call& call) {
  const Comm *a = known_comm(call, 0), *b = known_comm(call, 1);
  if (!a || !b) return not_known(call, "the communicators of `MPI_Comm_compare` are not known");
  std::vector<uint32_t> x = a->members, y = b->members;
  const bool same_order = x == y;
  std::sort(x.begin(), x.end());
  std::sort(y.begin(), y.end());
  store_at(call, call.at(2), 0, 4, machine::integer(a == b ? 0 : same_order ? 1 : x == y ? 2 : 3));
  return success();
}

CallResult comm_free(Call& call) {
  const Value v = load_at(call, call.at(0), 0, 8);
  if (!check_handle(call, v, HandleClass::Comm)) return stop(call);
  Handle* h = handle_of(call.world, call.m, v);
  if (!h) return not_known(call, "the communicator of `" + call.name + "` is not known");
  if (h->is_predefined) return refuse<Fact::PredefinedFreed>(call, h->name);
  h->is_freed = true;
  store_at(call, call.at(0), 0, 8, null_handle(call.m, "MPI_COMM_NULL"));
  note_step<Fact::Named>(call);
  // All ranks call it, and none waits for the others: the memory goes when the last message is over.
  return arrive(call, h->id, call.name.substr(4), {.rank = call.m.rank}) ? success() : stop(call);
}

CallResult comm_group(Call& call) {
  const Comm* c = known_comm(call, 0);
  if (!c) return not_known(call, "the communicator of `MPI_Comm_group` is not known");
  return give_group(call, call.at(1), c->members);
}

CallResult comm_remote_group(Call& call) {
  const Comm* c = known_comm(call, 0);
  if (!c) return not_known(call, "the communicator of `MPI_Comm_remote_group` is not known");
  if (c->remote.empty()) return refuse<Fact::OneGroupOnly>(call);
  return give_group(call, call.at(1), c->remote);
}

constexpr std::array kCommunicatorCalls = {
    Signature{"Comm_rank", "c.", comm_rank},
    Signature{"Comm_size", "c.", comm_size},
    Signature{"Comm_remote_size", "c.", comm_remote_size},
    Signature{"Comm_test_inter", "c.", comm_test_inter},
    Signature{"Comm_compare", "cc.", comm_compare},
    Signature{"Comm_free", "C", comm_free},
    Signature{"Comm_disconnect", "C", comm_free},
    Signature{"Comm_dup", "cC", dup_communicator},
    Signature{"Comm_dup_with_info", "cIC", dup_with_info},
    Signature{"Comm_split", "c..C", split},
    Signature{"Comm_split_type", "c..IC", split_type},
    Signature{"Comm_create", "cpC", create},
    Signature{"Comm_create_group", "cpgC", create_group},
    Signature{"Comm_create_from_group", "p.I.C", create_from_group},
    Signature{"Comm_group", "c.", comm_group},
    Signature{"Comm_remote_group", "c.", comm_remote_group},
    Signature{"Comm_set_name", "c.", nothing},
    Signature{"Intercomm_create",
              "c..."
              "gC",
              intercomm_create},
    Signature{"Intercomm_merge", "c.C", merge},
    Signature{"Comm_idup", "cCq", idup},
};

}  // namespace

CallResult give_group(Call& call, const Value& where, std::vector<uint32_t> members) {
  call.world.groups.push_back(std::move(members));
  give_handle(call, where, HandleClass::Group, static_cast<uint32_t>(call.world.groups.size() - 1));
  return success();
}

CallResult creation(Call& call, uint32_t comm, std::vector<Value> values) {
  Part part{.rank = call.m.rank};
  part.values = std::move(values);
  return creation_with(call, comm, std::move(part));
}

CallResult creation_with(Call& call, uint32_t comm, Part part) {
  note_step<Fact::CallOn>(call, comm_name(call.world.comms[comm]));
  const auto id = arrive(call, comm, call.name.substr(4), std::move(part));
  return id ? wait_for(call, {*id}) : stop(call);
}

void complete_creation(World& world, Collective& c) {
  const bool parts_two_groups =
      !world.comms[c.comm].remote.empty() && (c.name.starts_with("Comm_split") || c.name == "Comm_create");
  if (c.name == "Cart_sub" && !same_description(world, c, state<Fact::RemainingDimensions>())) return;
  if (c.name == "Comm_split_type" && !same_split_type(world, c)) return;
  if (parts_two_groups)
    lose(world, "a part of an inter-communicator");
  else if (c.name == "Comm_dup" || c.name == "Comm_idup" || c.name == "Comm_dup_with_info")
    complete_dup(world, c);
  else if (c.name == "Comm_split" || c.name == "Comm_split_type" || c.name == "Cart_sub")
    complete_split(world, c);
  else if (c.name == "Comm_create")
    complete_create(world, c);
  else if (c.name == "Comm_create_group" || c.name == "Comm_create_from_group")
    give_all(world, c, 0);
  else if (c.name == "Comm_spawn" || c.name == "Comm_spawn_multiple")
    complete_spawn(world, c);
  else if (c.name == "Cart_create" || c.name == "Graph_create" || c.name.starts_with("Dist_graph"))
    complete_topology(world, c);
  else if (c.name == "Intercomm_merge")
    complete_merge(world, c);
  else if (c.name == "Intercomm_create")
    complete_intercomm(world, c);
}

std::span<const Signature> communicator_calls() { return kCommunicatorCalls; }

}  // namespace ranklint::mpi_check
