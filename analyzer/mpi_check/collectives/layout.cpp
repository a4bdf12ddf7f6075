#include "analyzer/mpi_check/collectives/layout.h"

#include <algorithm>
#include <numeric>

namespace ranklint::mpi_check {

namespace {

// The `nth` part of what the rank sends, or receives.
Buffer part_of(const Movement& moves, const Part& part, bool sends, size_t nth) {
  Buffer b = sends ? part.send : part.receive;
  b.is_in_place = false;
  if (!moves.is_split(sends)) return b;
  int64_t offset = static_cast<int64_t>(nth) * b.count * b.type.extent;
  if (moves.has_list(sends)) {
    const auto& counts = sends ? part.send_counts : part.receive_counts;
    const auto& offsets = sends ? part.send_offsets : part.receive_offsets;
    const auto& types = sends ? part.send_types : part.receive_types;
    if (nth >= counts.size() || nth >= offsets.size()) {
      b.type.is_known = false;
      return b;
    }
    b.count = counts[nth];
    offset = offsets[nth] * (nth < types.size() ? 1 : b.type.extent);
    if (nth < types.size()) b.type = types[nth], b.type_name = {};
  }
  b.address.number += offset;
  return b;
}

// What goes to the peer; from a buffer in place, what was received there.
Buffer sent_part(const Movement& moves, const Part& from, size_t own, size_t nth) {
  if (!from.send.is_in_place) return part_of(moves, from, true, nth);
  return part_of(moves, from, false, moves.is_split(true) ? nth : own);
}

// The slot at the receiver for what the sender has in its slot: the other direction of a grid, else the same
// occurrence.
size_t slot_at_receiver(const Comm& comm, size_t from, size_t to, size_t slot) {
  if (comm.topology.kind == Topology::Kind::Cart) return slot ^ 1;
  const auto &out = destinations_of(comm, from), &in = sources_of(comm, to);
  const auto nth = std::count(out.begin(), out.begin() + static_cast<std::ptrdiff_t>(slot), static_cast<int64_t>(to));
  std::ptrdiff_t seen = 0;
  for (size_t i = 0; i < in.size(); ++i)
    if (in[i] == static_cast<int64_t>(from) && seen++ == nth) return i;
  return in.size();
}

std::vector<Piece> between_neighbours(const Comm& comm, const Collective& c) {
  std::vector<Piece> pieces;
  for (size_t s = 0; s < comm.members.size(); ++s) {
    const auto& out = destinations_of(comm, s);
    for (size_t k = 0; k < out.size(); ++k) {
      if (out[k] < 0 || static_cast<size_t>(out[k]) >= comm.members.size()) continue;
      const auto r = static_cast<size_t>(out[k]);
      const size_t slot = slot_at_receiver(comm, s, r, k);
      if (slot >= sources_of(comm, r).size()) continue;
      const Part &from = c.parts.at(comm.members[s]), &to = c.parts.at(comm.members[r]);
      pieces.push_back({.from = &from,
                        .to = &to,
                        .sent = part_of(c.moves, from, true, k),
                        .received = part_of(c.moves, to, false, slot)});
    }
  }
  return pieces;
}

// The sum of everybody's counts is sent, one's own is received.
Buffer reduced_and_scattered(const Part& part, const Movement& moves, int64_t own, bool sends) {
  Buffer b = sends ? part.send : part.receive;
  const auto peers = static_cast<int64_t>(part.send_counts.size());
  if (moves.lists == Movement::Lists::None) {
    b.count = part.receive.count < 0 ? -1 : sends ? part.receive.count * peers : part.receive.count;
    return b;
  }
  if (!part.counts_known || static_cast<size_t>(own) >= part.receive_counts.size()) return b;
  b.count = sends ? std::accumulate(part.receive_counts.begin(), part.receive_counts.end(), int64_t{0})
                  : part.receive_counts[static_cast<size_t>(own)];
  return b;
}

std::vector<Buffer> own_parts(const Comm& comm, const Movement& moves, const Part& part, int64_t own, bool sends) {
  const Buffer& all = sends ? part.send : part.receive;
  if (all.is_in_place || own < 0) return {};
  const bool is_rooted = part.root != kUndefined && moves.kind != MovementKind::Broadcast;
  const bool takes_part =
      !is_rooted || part.root == own || !moves.is_split(sends);  // what is split is the root's alone
  if (!takes_part) return {};
  if (moves.kind == MovementKind::ReduceScatter) return {reduced_and_scattered(part, moves, own, sends)};
  if (!moves.has_list(sends)) {
    Buffer whole = all;
    const size_t peers = moves.of_neighbours ? (sends ? destinations_of(comm, static_cast<size_t>(own))
                                                      : sources_of(comm, static_cast<size_t>(own)))
                                                   .size()
                                             : comm.members.size();
    if (moves.moves_pieces() && moves.is_split(sends) && whole.count > 0) whole.count *= static_cast<int64_t>(peers);
    return {whole};
  }
  std::vector<Buffer> parts;
  const size_t n = (sends ? part.send_counts : part.receive_counts).size();
  for (size_t i = 0; i < n; ++i) parts.push_back(part_of(moves, part, sends, i));
  return parts;
}

}  // namespace

const std::vector<int64_t>& sources_of(const Comm& comm, size_t rank) {
  static const std::vector<int64_t> kNone;
  return rank < comm.topology.sources.size() ? comm.topology.sources[rank] : kNone;
}

const std::vector<int64_t>& destinations_of(const Comm& comm, size_t rank) {
  static const std::vector<int64_t> kNone;
  return rank < comm.topology.destinations.size() ? comm.topology.destinations[rank] : kNone;
}

// Between the sides of an inter-communicator: each sends to all of the other side, or a root to them, or they to it.
static std::vector<Piece> between_sides(const Comm& comm, const Collective& c) {
  const bool gathers = c.moves.kind == MovementKind::Gather, scatters = c.moves.kind == MovementKind::Scatter;
  std::vector<Piece> pieces;
  for (const auto& [senders, receivers] :
       {std::pair{&comm.members, &comm.remote}, std::pair{&comm.remote, &comm.members}})
    for (size_t s = 0; s < senders->size(); ++s)
      for (size_t r = 0; r < receivers->size(); ++r) {
        const Part &from = c.parts.at((*senders)[s]), &to = c.parts.at((*receivers)[r]);
        if ((gathers && to.root != kRoot) || (scatters && from.root != kRoot)) continue;
        pieces.push_back({.from = &from,
                          .to = &to,
                          .sent = sent_part(c.moves, from, s, r),
                          .received = part_of(c.moves, to, false, s)});
      }
  return pieces;
}

std::vector<Piece> pieces_of(const World& world, const Collective& c) {
  const Comm& comm = world.comms[c.comm];
  if (c.moves.of_neighbours) return between_neighbours(comm, c);
  if (!comm.remote.empty()) return between_sides(comm, c);
  const bool gathers = c.moves.kind == MovementKind::Gather, scatters = c.moves.kind == MovementKind::Scatter;
  std::vector<Piece> pieces;
  for (size_t s = 0; s < comm.members.size(); ++s)
    for (size_t r = 0; r < comm.members.size(); ++r) {
      const Part &from = c.parts.at(comm.members[s]), &to = c.parts.at(comm.members[r]);
      if ((gathers || scatters) && static_cast<int64_t>(scatters ? s : r) != from.root) continue;
      if (to.receive.is_in_place || (from.send.is_in_place && s == r)) continue;
      pieces.push_back({.from = &from,
                        .to = &to,
                        .sent = sent_part(c.moves, from, s, r),
                        .received = part_of(c.moves, to, false, s)});
    }
  return pieces;
}

std::vector<Buffer> sent_by(const Comm& comm, const Movement& moves, const Part& part, int64_t own) {
  return own_parts(comm, moves, part, own, true);
}
std::vector<Buffer> received_by(const Comm& comm, const Movement& moves, const Part& part, int64_t own) {
  return own_parts(comm, moves, part, own, false);
}

}  // namespace ranklint::mpi_check
