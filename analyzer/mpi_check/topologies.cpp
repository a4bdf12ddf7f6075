// Grids and graphs of ranks are asked: neighbours, coordinates, sizes.
#include "analyzer/mpi_check/topology.h"

#include <algorithm>
#include <array>

#include "analyzer/mpi_check/collectives/layout.h"

namespace ranklint::mpi_check {

namespace {

// The communicator of the call, with a topology of the kind; null when it has none, which is then reported.
template <Topology::Kind kind, Fact otherwise>
const Comm* known_topology(Call& call) {
  const Comm* c = first_comm(call);
  if (!c || c->topology.kind == kind) return c;
  invalid<otherwise>(call);
  return nullptr;
}

const Comm* known_graph(Call& call) { return known_topology<Topology::Kind::Graph, Fact::WithoutGraph>(call); }
const Comm* known_dist_graph(Call& call) {
  return known_topology<Topology::Kind::DistGraph, Fact::WithoutDistributedGraph>(call);
}

// The rank that is asked about; nothing: it is no rank of the communicator, which is then reported, or it is not known.
std::optional<size_t> asked_rank(Call& call, const Comm& c) {
  const auto rank = number(call.at(1));
  if (rank && *rank >= 0 && static_cast<size_t>(*rank) < c.members.size()) return static_cast<size_t>(*rank);
  if (rank) invalid<Fact::RankOutsideComm>(call, *rank, c.members.size());
  return std::nullopt;
}

CallResult cart_coords(Call& call) {
  const Comm* c = known_cart(call);
  const auto rank = number(call.at(1));
  if (!c) return stop(call);
  if (!rank) return not_known(call, "the rank of `MPI_Cart_coords` is not known");
  if (!asked_rank(call, *c)) return stop(call);
  const auto at = coordinates(c->topology, *rank);
  for (size_t i = 0; i < at.size(); ++i)
    store_at(call, call.at(3), static_cast<int64_t>(4 * i), 4, machine::integer(at[i]));
  return success();
}

CallResult cart_rank(Call& call) {
  const Comm* c = known_cart(call);
  if (!c) return stop(call);
  if (call.at(1).is_null() && !c->topology.dims.empty()) return refuse<Fact::NullCoordinates>(call);
  const auto at = numbers_at(call, call.at(1), c->topology.dims.size());
  if (!at) return not_known(call, "the coordinates of `MPI_Cart_rank` are not known");
  const int64_t rank = rank_at(c->topology, *at);
  if (rank == kProcNull) return refuse<Fact::CoordinatesOutside>(call);
  store_at(call, call.at(2), 0, 4, machine::integer(rank));
  return success();
}

CallResult cart_shift(Call& call) {
  const Comm* c = known_cart(call);
  if (!c) return stop(call);
  const auto direction = number(call.at(1)), by = number(call.at(2));
  if (!direction || !by) return not_known(call, "the shift is not known");
  if (*direction < 0 || static_cast<size_t>(*direction) >= c->topology.dims.size())
    return refuse<Fact::DirectionOutside>(call, *direction);
  auto neighbour = [&](int64_t steps) {
    auto at = coordinates(c->topology, rank_in(c->members, call.m.rank));
    at[static_cast<size_t>(*direction)] += steps;
    return machine::integer(rank_at(c->topology, at));
  };
  store_at(call, call.at(3), 0, 4, neighbour(-*by));
  store_at(call, call.at(4), 0, 4, neighbour(*by));
  return success();
}

CallResult cart_get(Call& call) {
  const Comm* c = known_cart(call);
  if (!c) return stop(call);
  const auto at = coordinates(c->topology, rank_in(c->members, call.m.rank));
  for (size_t i = 0; i < at.size(); ++i) {
    const auto offset = static_cast<int64_t>(4 * i);
    store_at(call, call.at(2), offset, 4, machine::integer(c->topology.dims[i]));
    store_at(call, call.at(3), offset, 4, machine::integer(c->topology.periods[i]));
    store_at(call, call.at(4), offset, 4, machine::integer(at[i]));
  }
  return success();
}

CallResult dims_create(Call& call) {
  const auto n = number(call.at(0)), count = number(call.at(1));
  if (!n || !count || *count < 1 || *n < 1) return not_known(call, "the dimensions are not known");
  auto dims = numbers_at(call, call.at(2), static_cast<size_t>(*count));
  if (!dims) return not_known(call, "the dimensions are not known");
  int64_t left = *n, given = 1;
  for (const int64_t d : *dims) {
    if (d < 0) return refuse<Fact::NegativeDimension>(call, d);
    if (d > 0) given = std::min<int64_t>(given * d, 1 << 30);
  }
  if (left % given) return refuse<Fact::DimensionsDoNotDivide>(call, left, given);
  left /= given;
  std::vector<size_t> open;
  for (size_t i = 0; i < dims->size(); ++i)
    if ((*dims)[i] == 0) open.push_back(i), (*dims)[i] = 1;
  std::vector<int64_t> factors;
  for (int64_t f = 2; left > 1; ++f)
    while (left % f == 0) factors.push_back(f), left /= f;
  for (auto f = factors.rbegin(); f != factors.rend() && !open.empty(); ++f)
    (*dims)[*std::min_element(open.begin(), open.end(), [&](size_t a, size_t b) { return (*dims)[a] < (*dims)[b]; })] *=
        *f;
  for (size_t i = 0; i < dims->size(); ++i)
    store_at(call, call.at(2), static_cast<int64_t>(4 * i), 4, machine::integer((*dims)[i]));
  return success();
}

CallResult cart_dimensions(Call& call) {
  const Comm* c = known_cart(call);
  if (!c) return stop(call);
  store_at(call, call.at(1), 0, 4, machine::integer(static_cast<int64_t>(c->topology.dims.size())));
  return success();
}

CallResult topology_kind(Call& call) {
  const Comm* c = first_comm(call);
  if (!c) return not_known(call, "the communicator of `MPI_Topo_test` is not known");
  // The numbers of MPI_UNDEFINED, MPI_CART, MPI_GRAPH and MPI_DIST_GRAPH.
  const auto number_of = [](Topology::Kind kind) -> int64_t {
    switch (kind) {
      case Topology::Kind::None: return kUndefined;
      case Topology::Kind::Graph: return 1;
      case Topology::Kind::Cart: return 2;
      case Topology::Kind::DistGraph: return 3;
    }
    return kUndefined;
  };
  store_at(call, call.at(1), 0, 4, machine::integer(number_of(c->topology.kind)));
  return success();
}

void store_list(Call& call, const Value& where, const std::vector<int64_t>& list, const Value& most) {
  const auto room = static_cast<size_t>(std::max<int64_t>(number(most).value_or(0), 0));
  for (size_t i = 0; i < list.size() && i < room; ++i)
    store_at(call, where, static_cast<int64_t>(4 * i), 4, machine::integer(list[i]));
}

CallResult graph_dimensions(Call& call) {
  const Comm* c = known_graph(call);
  if (!c) return stop(call);
  size_t edges = 0;
  for (const auto& list : c->topology.destinations) edges += list.size();
  store_at(call, call.at(1), 0, 4, machine::integer(static_cast<int64_t>(c->topology.destinations.size())));
  store_at(call, call.at(2), 0, 4, machine::integer(static_cast<int64_t>(edges)));
  return success();
}

CallResult graph_get(Call& call) {
  const Comm* c = known_graph(call);
  if (!c) return stop(call);
  std::vector<int64_t> index, edges;
  for (const auto& list : c->topology.destinations) {
    edges.insert(edges.end(), list.begin(), list.end());
    index.push_back(static_cast<int64_t>(edges.size()));
  }
  store_list(call, call.at(3), index, call.at(1));
  store_list(call, call.at(4), edges, call.at(2));
  return success();
}

CallResult graph_neighbours(Call& call) {
  const Comm* c = known_graph(call);
  const auto rank = c ? asked_rank(call, *c) : std::nullopt;
  if (!rank) return stop(call);
  const auto& list = destinations_of(*c, *rank);
  if (call.name == "MPI_Graph_neighbors")
    store_list(call, call.at(3), list, call.at(2));
  else
    store_at(call, call.at(2), 0, 4, machine::integer(static_cast<int64_t>(list.size())));
  return success();
}

CallResult dist_graph_neighbours(Call& call) {
  const Comm* c = known_dist_graph(call);
  if (!c) return stop(call);
  const auto own = static_cast<size_t>(rank_in(c->members, call.m.rank));
  const auto &in = sources_of(*c, own), &out = destinations_of(*c, own);
  if (call.name == "MPI_Dist_graph_neighbors") {
    store_list(call, call.at(2), in, call.at(1));
    store_list(call, call.at(5), out, call.at(4));
  } else {
    store_at(call, call.at(1), 0, 4, machine::integer(static_cast<int64_t>(in.size())));
    store_at(call, call.at(2), 0, 4, machine::integer(static_cast<int64_t>(out.size())));
    store_at(call, call.at(3), 0, 4, machine::unknown());
  }
  return success();
}

constexpr std::array kTopologyCalls = {
    Signature{"Cart_coords", "c...", cart_coords},
    Signature{"Cart_rank", "c..", cart_rank},
    Signature{"Cart_shift", "c....", cart_shift},
    Signature{"Cart_get", "c....", cart_get},
    Signature{"Cartdim_get", "c.", cart_dimensions},
    Signature{"Topo_test", "c.", topology_kind},
    Signature{"Dims_create", "...", dims_create},
    Signature{"Graphdims_get", "c..", graph_dimensions},
    Signature{"Graph_get", "c....", graph_get},
    Signature{"Graph_neighbors", "c...", graph_neighbours},
    Signature{"Graph_neighbors_count", "c..", graph_neighbours},
    Signature{"Dist_graph_neighbors", "c......", dist_graph_neighbours},
    Signature{"Dist_graph_neighbors_count", "c...", dist_graph_neighbours},
};

}  // namespace

const Comm* first_comm(Call& call) {
  const auto id = comm_of(call, call.at(0));
  return id ? &call.world.comms[*id] : nullptr;
}

const Comm* known_cart(Call& call) { return known_topology<Topology::Kind::Cart, Fact::WithoutGrid>(call); }

std::vector<int64_t> coordinates(const Topology& t, int64_t rank) {
  std::vector<int64_t> at(t.dims.size());
  for (size_t i = t.dims.size(); i-- > 0;) {
    at[i] = rank % std::max<int64_t>(t.dims[i], 1);
    rank /= std::max<int64_t>(t.dims[i], 1);
  }
  return at;
}

int64_t rank_at(const Topology& t, std::vector<int64_t> at) {
  int64_t rank = 0;
  for (size_t i = 0; i < t.dims.size(); ++i) {
    if (at[i] < 0 || at[i] >= t.dims[i]) {
      if (!t.periods[i]) return kProcNull;
      at[i] = ((at[i] % t.dims[i]) + t.dims[i]) % t.dims[i];
    }
    rank = rank * t.dims[i] + at[i];
  }
  return rank;
}

std::span<const Signature> topology_calls() { return kTopologyCalls; }

}  // namespace ranklint::mpi_check
