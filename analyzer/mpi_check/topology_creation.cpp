// Grids and graphs of ranks are made.
//
// All ranks describe the same grid or graph; what they describe is kept as lists, in `send_counts` (dimensions, or the
// index of a graph) and `receive_counts` (periods, or its edges) of their part, so that ranks can be compared.
#include <algorithm>
#include <array>

#include "analyzer/mpi_check/topology.h"

namespace ranklint::mpi_check {

namespace {

CallResult made(Call& call, Part part, const Value& where) {
  const auto comm = comm_of(call, call.at(0));
  if (!comm) return not_known(call, "the communicator of `" + call.name + "` is not known");
  part.rank = call.m.rank;
  part.values = {where};
  return creation_with(call, *comm, std::move(part));
}

CallResult cart_create(Call& call) {
  const auto n = number(call.at(1));
  const Comm* c = first_comm(call);
  if (n && *n < 0) return refuse<Fact::NegativeDimensions>(call, *n);
  if (n && *n > 0 && call.at(2).is_null()) return refuse<Fact::NullDimensions>(call);
  if (n && *n > 0 && call.at(3).is_null()) return refuse<Fact::NullPeriods>(call);
  const auto dims = n && *n <= 16 ? numbers_at(call, call.at(2), static_cast<size_t>(*n)) : std::nullopt;
  const auto periods = dims ? numbers_at(call, call.at(3), dims->size()) : std::nullopt;
  if (!dims || !periods || !c) return not_known(call, "the dimensions of a grid are not known");
  int64_t all = 1;
  for (const int64_t d : *dims) all = std::min<int64_t>(all * std::clamp<int64_t>(d, -1, 1 << 20), 1 << 20);
  if (all > static_cast<int64_t>(c->members.size()) || all <= 0 ||
      std::any_of(dims->begin(), dims->end(), [](int64_t d) { return d <= 0; }))
    return refuse<Fact::GridTooLarge>(call, all, c->members.size());
  Part part;
  part.send_counts = *dims;
  part.receive_counts = *periods;
  return made(call, std::move(part), call.at(5));
}

bool is_graph(const std::vector<int64_t>& index, const std::vector<int64_t>& edges) {
  int64_t last = 0;
  for (const int64_t i : index) {
    if (i < last) return false;
    last = i;
  }
  return std::all_of(edges.begin(), edges.end(),
                     [&](int64_t e) { return e >= 0 && e < static_cast<int64_t>(index.size()); });
}

CallResult graph_create(Call& call) {
  const auto n = number(call.at(1));
  const Comm* c = first_comm(call);
  if (n && *n < 0) return refuse<Fact::NegativeNodes>(call, *n);
  if (n && c && *n > static_cast<int64_t>(c->members.size()))
    return refuse<Fact::GraphTooLarge>(call, *n, c->members.size());
  if (n && *n > 0 && call.at(2).is_null()) return refuse<Fact::NullIndex>(call);
  const auto index = n ? numbers_at(call, call.at(2), static_cast<size_t>(*n)) : std::nullopt;
  const int64_t edge_count = index && !index->empty() ? index->back() : 0;
  if (edge_count < 0) return refuse<Fact::NegativeEdges>(call, edge_count);
  if (edge_count > 0 && call.at(3).is_null()) return refuse<Fact::NullEdges>(call);
  const auto edges =
      index && edge_count <= 100000 ? numbers_at(call, call.at(3), static_cast<size_t>(edge_count)) : std::nullopt;
  if (!index || !edges || !c) return not_known(call, "the graph is not known");
  if (!is_graph(*index, *edges)) return refuse<Fact::BrokenGraph>(call);
  Part part;
  part.send_counts = *index;
  part.receive_counts = *edges;
  return made(call, std::move(part), call.at(5));
}

bool are_ranks(Call& call, const std::vector<int64_t>& list, size_t size) {
  for (const int64_t r : list)
    if (r < 0 || static_cast<size_t>(r) >= size) return reject<Fact::NeighbourOutsideComm>(call, r, size);
  return true;
}

// Each rank names its own sources and destinations.
CallResult dist_graph_adjacent(Call& call) {
  const Comm* c = first_comm(call);
  const auto in = number(call.at(1)), out = number(call.at(4));
  for (const auto& n : {in, out})
    if (n && *n < 0) return refuse<Fact::NegativeNeighbours>(call, *n);
  const auto sources = in ? numbers_at(call, call.at(2), static_cast<size_t>(*in)) : std::nullopt;
  const auto destinations = out ? numbers_at(call, call.at(5), static_cast<size_t>(*out)) : std::nullopt;
  if (!sources || !destinations || !c) return not_known(call, "the neighbours of a distributed graph are not known");
  if (!are_ranks(call, *sources, c->members.size()) || !are_ranks(call, *destinations, c->members.size()))
    return stop(call);
  Part part;
  part.send_counts = *destinations;
  part.receive_counts = *sources;
  return made(call, std::move(part), call.at(9));
}

// Any rank may name any edge: kept as pairs of source and destination.
CallResult dist_graph_create(Call& call) {
  const Comm* c = first_comm(call);
  const auto n = number(call.at(1));
  if (n && *n < 0) return refuse<Fact::NegativeNodes>(call, *n);
  const auto nodes = n ? numbers_at(call, call.at(2), static_cast<size_t>(*n)) : std::nullopt;
  const auto degrees = n ? numbers_at(call, call.at(3), static_cast<size_t>(*n)) : std::nullopt;
  if (!nodes || !degrees || !c) return not_known(call, "the edges of a distributed graph are not known");
  size_t all = 0;
  for (const int64_t d : *degrees) {
    if (d < 0 || d > 10000) return refuse<Fact::NegativeEdges>(call, d);
    all += static_cast<size_t>(d);
  }
  const auto targets = numbers_at(call, call.at(4), all);
  if (!targets) return not_known(call, "the edges of a distributed graph are not known");
  if (!are_ranks(call, *nodes, c->members.size()) || !are_ranks(call, *targets, c->members.size())) return stop(call);
  Part part;
  size_t next = 0;
  for (size_t i = 0; i < nodes->size(); ++i)
    for (int64_t d = 0; d < (*degrees)[i]; ++d) {
      part.send_counts.push_back((*nodes)[i]);
      part.send_counts.push_back((*targets)[next++]);
    }
  return made(call, std::move(part), call.at(8));
}

Topology grid(const Part& part) {
  Topology t{.kind = Topology::Kind::Cart, .dims = part.send_counts, .periods = part.receive_counts};
  int64_t all = 1;
  for (const int64_t d : t.dims) all *= d;
  for (int64_t r = 0; r < all; ++r) {
    std::vector<int64_t> around;
    for (size_t d = 0; d < t.dims.size(); ++d)
      for (const int64_t step : {-1, 1}) {
        auto at = coordinates(t, r);
        at[d] += step;
        around.push_back(rank_at(t, at));
      }
    t.sources.push_back(around);
    t.destinations.push_back(around);
  }
  return t;
}

Topology graph(const Part& part) {
  Topology t{.kind = Topology::Kind::Graph};
  int64_t begin = 0;
  for (const int64_t end : part.send_counts) {
    t.destinations.emplace_back(part.receive_counts.begin() + begin, part.receive_counts.begin() + end);
    begin = end;
  }
  t.sources = t.destinations;
  return t;
}

Topology distributed_graph(const Collective& c, const Comm& comm) {
  Topology t{.kind = Topology::Kind::DistGraph};
  t.sources.resize(comm.members.size());
  t.destinations.resize(comm.members.size());
  for (size_t r = 0; r < comm.members.size(); ++r) {
    const Part& part = c.parts.at(comm.members[r]);
    if (c.name == "Dist_graph_create_adjacent") {
      t.sources[r] = part.receive_counts;
      t.destinations[r] = part.send_counts;
      continue;
    }
    for (size_t i = 0; i + 1 < part.send_counts.size(); i += 2) {
      t.destinations[static_cast<size_t>(part.send_counts[i])].push_back(part.send_counts[i + 1]);
      t.sources[static_cast<size_t>(part.send_counts[i + 1])].push_back(part.send_counts[i]);
    }
  }
  return t;
}

// How often the list names the rank.
int64_t times(const std::vector<int64_t>& list, size_t rank) {
  return std::count(list.begin(), list.end(), static_cast<int64_t>(rank));
}

// Both ends of an edge have to name it.
bool same_edges(World& world, const Collective& c, const Topology& t) {
  const std::vector<uint32_t> members = world.comms[c.comm].members;
  for (size_t from = 0; from < members.size(); ++from)
    for (size_t to = 0; to < members.size(); ++to) {
      const int64_t out = times(t.destinations[from], to), in = times(t.sources[to], from);
      if (out == in) continue;
      differ<Fact::EdgesDiffer>(world, c.parts.at(members[from]), c.parts.at(members[to]),
                                state<Fact::EdgesBetween>(from, to), out, in);
      world.is_stopped = true;
      return false;
    }
  return true;
}

// values: remaining dimensions as a colour and a key are known at once: each rank has the grid.
CallResult cart_sub(Call& call) {
  const Comm* c = known_cart(call);
  if (!c) return stop(call);
  const auto keep = numbers_at(call, call.at(1), c->topology.dims.size());
  if (!keep) return not_known(call, "the dimensions of `MPI_Cart_sub` are not known");
  const auto at = coordinates(c->topology, rank_in(c->members, call.m.rank));
  int64_t colour = 0, key = 0;
  for (size_t i = 0; i < at.size(); ++i)
    ((*keep)[i] ? key : colour) = ((*keep)[i] ? key : colour) * c->topology.dims[i] + at[i];
  Part part{.rank = call.m.rank};
  for (const int64_t k : *keep) part.send_counts.push_back(k != 0);
  part.values = {machine::integer(colour), machine::integer(key), call.at(2)};
  return creation_with(call, *comm_of(call, call.at(0)), std::move(part));
}

constexpr std::array kTopologyCreationCalls = {
    Signature{"Cart_create", "c....C", cart_create},
    Signature{"Cart_sub", "c.C", cart_sub},
    Signature{"Graph_create", "c....C", graph_create},
    Signature{"Dist_graph_create", "c.....I.C", dist_graph_create},
    Signature{"Dist_graph_create_adjacent", "c......I.C", dist_graph_adjacent},
};

}  // namespace

bool same_description(World& world, const Collective& c, const Statement& what) {
  const Part& first = c.parts.begin()->second;
  for (const auto& [rank, part] : c.parts)
    if (part.send_counts != first.send_counts || part.receive_counts != first.receive_counts) {
      differ_in_one(world, first, part, what);
      world.is_stopped = true;
      return false;
    }
  return true;
}

void complete_topology(World& world, Collective& c) {
  const bool is_distributed = c.name.starts_with("Dist_graph");
  if (!is_distributed &&
      !same_description(world, c, c.name == "Cart_create" ? state<Fact::Grid>() : state<Fact::Graph>()))
    return;
  const std::vector<uint32_t> members = world.comms[c.comm].members;
  const Part& first = c.parts.begin()->second;
  Topology t = is_distributed            ? distributed_graph(c, world.comms[c.comm])
               : c.name == "Cart_create" ? grid(first)
                                         : graph(first);
  if (is_distributed && !same_edges(world, c, t)) return;
  const size_t size = is_distributed ? members.size() : t.destinations.size();
  const uint32_t made = add_comm(world, {members.begin(), members.begin() + static_cast<std::ptrdiff_t>(size)}, c.name);
  world.comms[made].topology = std::move(t);
  for (const auto& [rank, part] : c.parts)
    rank_in(world.comms[made].members, rank) >= 0 ? give_member(world, part, 0, made) : give_null(world, part, 0);
}

std::span<const Signature> topology_creation_calls() { return kTopologyCreationCalls; }

}  // namespace ranklint::mpi_check
