// What collectives carry: values from memory to memory.
#include "analyzer/mpi_check/collectives/data.h"

#include <algorithm>

#include "analyzer/mpi_check/call.h"
#include "analyzer/mpi_check/collectives/layout.h"

namespace ranklint::mpi_check {

namespace {

using machine::Arithmetic;

struct Items {
  std::vector<Value> values = {};
  bool known = true;
};

Items items_of(World& world, uint32_t rank, const Buffer& b, int64_t offset_bytes, int64_t count) {
  Items items;
  Value at = b.address;
  at.number += offset_bytes;
  items.values = read_items(world, rank, at, count, b.type, items.known);
  return items;
}

void put(World& world, uint32_t rank, const Buffer& b, int64_t offset_bytes, int64_t count, const Items& items) {
  Value at = b.address;
  at.number += offset_bytes;
  write_items(world, rank, at, count, b.type, items.values, items.known);
}

Value reduced(Machine& m, const std::string& op, machine::Scalar scalar, const Value& a, const Value& b) {
  auto pick = [&](Arithmetic compare) {
    const auto first = machine::truth(machine::binary(m, compare, scalar, a, b));
    return first ? (*first ? a : b) : machine::unknown();
  };
  auto logic = [&](auto f) {
    const auto x = machine::truth(a), y = machine::truth(b);
    return x && y ? machine::integer(f(*x, *y)) : machine::unknown();
  };
  if (op == "MPI_SUM") return machine::binary(m, Arithmetic::Add, scalar, a, b);
  if (op == "MPI_PROD") return machine::binary(m, Arithmetic::Multiply, scalar, a, b);
  if (op == "MPI_MAX") return pick(Arithmetic::Greater);
  if (op == "MPI_MIN") return pick(Arithmetic::Less);
  if (op == "MPI_BAND") return machine::binary(m, Arithmetic::And, scalar, a, b);
  if (op == "MPI_BOR") return machine::binary(m, Arithmetic::Or, scalar, a, b);
  if (op == "MPI_BXOR") return machine::binary(m, Arithmetic::Xor, scalar, a, b);
  if (op == "MPI_LAND") return logic([](bool x, bool y) { return x && y; });
  if (op == "MPI_LOR") return logic([](bool x, bool y) { return x || y; });
  if (op == "MPI_LXOR") return logic([](bool x, bool y) { return x != y; });
  return machine::unknown();
}

const Buffer& contribution(const Part& part) { return part.send.is_in_place ? part.receive : part.send; }

int64_t reduced_count(const Part& part, const Movement& moves) {
  if (moves.kind != MovementKind::ReduceScatter) return contribution(part).count;
  if (moves.lists == Movement::Lists::None)
    return part.receive.count < 0 ? -1 : part.receive.count * static_cast<int64_t>(part.send_counts.size());
  int64_t all = 0;
  for (const int64_t n : part.receive_counts) all += n;
  return all;
}

// What all got is unknown, but it is the same for all.
Items shared(World& world, Items items, const Collective& c) {
  uint64_t i = 0;
  for (Value& v : items.values) {
    if (v.known()) continue;
    const uint8_t width = v.width;
    v = machine::shared_unknown(world.host.symbol(3, 0, (i++ << 32) | c.any_part().operation));
    v.width = width;
  }
  return items;
}

// MINLOC and MAXLOC: of values with an index the better value, of equals the lower index.
void pick_pairs(Machine& m, const std::string& op, const Type& type, std::vector<Value>& best,
                const std::vector<Value>& other) {
  const machine::Scalar scalar = type.segments.front().basic->scalar;
  const Arithmetic better = op == "MPI_MINLOC" ? Arithmetic::Less : Arithmetic::Greater;
  for (size_t i = 0; i + 1 < best.size() && i + 1 < other.size(); i += 2) {
    const auto is_better = machine::truth(machine::binary(m, better, scalar, other[i], best[i]));
    const auto is_equal = machine::truth(machine::binary(m, Arithmetic::Equal, scalar, other[i], best[i]));
    const auto is_lower =
        machine::truth(machine::binary(m, Arithmetic::Less, machine::Scalar::I32, other[i + 1], best[i + 1]));
    if (!is_better || !is_equal || !is_lower) {
      best[i] = best[i + 1] = machine::unknown();
    } else if (*is_better || (*is_equal && *is_lower)) {
      best[i] = other[i];
      best[i + 1] = other[i + 1];
    }
  }
}

// `sum` with what another rank has.
void reduce(Machine& m, const Operator& op, const Type& type, std::vector<Value>& sum,
            const std::vector<Value>& other) {
  if (type.is_pair) return pick_pairs(m, op.name, type, sum, other);
  for (size_t i = 0; i < sum.size() && i < other.size(); ++i) {
    const machine::Scalar scalar =
        type.segments.empty() ? machine::Scalar::I64 : type.segments[i % type.segments.size()].basic->scalar;
    sum[i] = reduced(m, op.name, scalar, sum[i], other[i]);
  }
}

Items reduction(World& world, const Collective& c, const std::vector<uint32_t>& ranks) {
  Items sum;
  bool is_first = true;
  for (const uint32_t rank : ranks) {
    const Part& part = c.parts.at(rank);
    const Buffer& b = contribution(part);
    Items one = items_of(world, rank, b, 0, reduced_count(part, c.moves));
    sum.known = sum.known && one.known;
    if (is_first)
      sum.values = one.values;
    else
      reduce(world.ranks[rank].machine, part.op.value_or(Operator{}), b.type, sum.values, one.values);
    is_first = false;
  }
  return sum;
}

void carry_reduction(World& world, const Collective& c, const Comm& comm) {
  const MovementKind kind = c.moves.kind;
  if (kind == MovementKind::Scan || kind == MovementKind::Exscan) {
    const bool with_own = kind == MovementKind::Scan;
    std::vector<Items> sums;
    for (size_t i = 0; i < comm.members.size(); ++i)
      sums.push_back(reduction(
          world, c, {comm.members.begin(), comm.members.begin() + static_cast<std::ptrdiff_t>(i + with_own)}));
    for (size_t i = 0; i < comm.members.size(); ++i) {
      const Part& part = c.parts.at(comm.members[i]);
      if (with_own || i) put(world, part.rank, part.receive, 0, contribution(part).count, sums[i]);
    }
    return;
  }
  const Items all = shared(world, reduction(world, c, comm.members), c);
  for (size_t i = 0; i < comm.members.size(); ++i) {
    const Part& part = c.parts.at(comm.members[i]);
    if (kind == MovementKind::Reduce && static_cast<int64_t>(i) != part.root) continue;
    if (kind == MovementKind::ReduceScatter) {
      size_t begin = 0;
      const auto count_of = [&](size_t r) {
        return c.moves.lists == Movement::Lists::Counts ? part.receive_counts[r] : part.receive.count;
      };
      if (!part.counts_known || part.receive.type.segments.size() != 1) {
        put(world, part.rank, part.receive, 0, part.receive.count, {.known = false});
        continue;
      }
      for (size_t r = 0; r < i; ++r) begin += static_cast<size_t>(count_of(r));
      Items own{.known = all.known};
      for (size_t k = begin; k < begin + static_cast<size_t>(count_of(i)) && k < all.values.size(); ++k)
        own.values.push_back(all.values[k]);
      put(world, part.rank, part.receive, 0, count_of(i), own);
      continue;
    }
    put(world, part.rank, part.receive, 0, contribution(part).count, all);
  }
}

// Of an inter-communicator the root says so itself, and the others of its side take no part.
void carry_bcast(World& world, const Collective& c, const Comm& comm) {
  const bool has_sides = !comm.remote.empty();
  const auto root = std::find_if(c.parts.begin(), c.parts.end(), [&](const auto& p) {
    return has_sides ? p.second.root == kRoot : p.second.root == rank_in(comm.members, p.first);
  });
  if (root == c.parts.end()) return;
  const Part& from = root->second;
  const Items items = shared(world, items_of(world, from.rank, from.receive, 0, from.receive.count), c);
  for (const auto& [rank, part] : c.parts)
    if (part.root != kProcNull) put(world, rank, part.receive, 0, part.receive.count, items);
}

// Everything is read before anything is written: buffers in place are both.
void carry_pieces(World& world, const Collective& c) {
  const std::vector<Piece> pieces = pieces_of(world, c);
  std::vector<Items> items;
  for (const Piece& piece : pieces) items.push_back(items_of(world, piece.from->rank, piece.sent, 0, piece.sent.count));
  for (size_t i = 0; i < pieces.size(); ++i)
    put(world, pieces[i].to->rank, pieces[i].received, 0, pieces[i].received.count, items[i]);
}

void lose_results(World& world, const Collective& c) {
  for (const auto& [rank, part] : c.parts)
    if (part.receive.address.points() && !part.receive.is_in_place) {
      const machine::Object& object = world.ranks[rank].machine.at(part.receive.address.object);
      machine::forget(world.ranks[rank].machine.at(part.receive.address.object), part.receive.address.number,
                      static_cast<int64_t>(object.size_bytes) - part.receive.address.number);
    }
}

}  // namespace

void carry_locally(World& world, uint32_t rank, const Buffer& from, const Buffer& to, const Operator& op) {
  const Items given = items_of(world, rank, from, 0, from.count);
  Items sum = items_of(world, rank, to, 0, to.count);
  sum.known = sum.known && given.known;
  reduce(world.ranks[rank].machine, op, to.type, sum.values, given.values);
  put(world, rank, to, 0, to.count, sum);
}

void move_data(World& world, const Collective& c) {
  const Comm& comm = world.comms[c.comm];
  const bool known = std::all_of(c.parts.begin(), c.parts.end(), [](const auto& p) { return p.second.counts_known; });
  const bool has_sides = !comm.remote.empty();
  if (!known || (has_sides && c.any_part().op)) return lose_results(world, c);
  if (c.moves.kind == MovementKind::Broadcast) return carry_bcast(world, c, comm);
  if (c.any_part().op) return carry_reduction(world, c, comm);
  if (c.moves.kind != MovementKind::Barrier) carry_pieces(world, c);
}

}  // namespace ranklint::mpi_check
