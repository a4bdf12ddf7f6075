#include "analyzer/mpi_check/collectives/arguments.h"

#include <algorithm>

#include "analyzer/mpi_check/collectives/layout.h"

namespace ranklint::mpi_check {

namespace {

void fill_type(Call& call, Buffer& b, int type) {
  const Buffer typed = buffer_of(call, 0, -1, type);
  b.type = typed.type;
  b.type_name = typed.type_name;
}

// A list of one number for each of `n` peers; whether the call can go on.
bool take_list(Call& call, int at, size_t n, std::vector<int64_t>& list, Part& part, uint32_t size_bytes) {
  const Value where = at < 0 ? machine::unknown() : call.at(static_cast<size_t>(at));
  if (where.is_null() && n) return reject<Fact::NullList>(call, n);
  for (size_t i = 0; i < n && where.points(); ++i)
    if (load_at(call, where, static_cast<int64_t>(i * size_bytes), size_bytes).kind == Value::Kind::Undefined)
      return reject<Fact::UnsetInList>(call, i);
  auto numbers = at < 0 ? std::nullopt : numbers_at(call, where, n, size_bytes);
  if (numbers)
    list = *numbers;
  else
    part.counts_known = false;
  return true;
}

// w-forms: counts, offsets in bytes and types after the buffer at `at`.
bool take_w_list(Call& call, int at, size_t n, std::vector<int64_t>& counts, std::vector<int64_t>& offsets,
                 std::vector<Type>& types, Part& part) {
  const bool are_addresses = call.signature->moves.of_neighbours;
  const uint32_t size_bytes = call.count_bytes();
  if (!take_list(call, at + 1, n, counts, part, size_bytes) ||
      !take_list(call, at + 2, n, offsets, part, are_addresses ? 8 : size_bytes))
    return false;
  for (size_t i = 0; i < n; ++i) {
    const Value type = load_at(call, call.at(static_cast<size_t>(at) + 3), static_cast<int64_t>(8 * i), 8);
    const bool is_used = i < counts.size() && counts[i] > 0;
    if (is_used && !check_type(call, type, true)) return false;
    const Handle* h = handle_at(call, type);
    const bool is_type = h && h->handle_class == HandleClass::Type && !h->is_null;
    types.push_back(is_type ? call.world.types[h->id] : Type{.is_known = false});
  }
  return true;
}

bool check_counts(Call& call, const Part& part) {
  for (const auto* list : {&part.send_counts, &part.receive_counts})
    for (const int64_t n : *list)
      if (n < 0) return reject<Fact::NegativeCount>(call, n);
  return true;
}

// How many items, at least, are sent or received: the largest of a list of counts.
int64_t items_of(const Buffer& b, const std::vector<int64_t>& counts) {
  return std::max(b.count, counts.empty() ? int64_t{-1} : *std::max_element(counts.begin(), counts.end()));
}

// The memory of each part. The first wrong one is reported, not all.
void check_each(Call& call, const std::vector<Buffer>& parts) {
  for (const Buffer& b : parts)
    if (!check_memory(call, b)) return;
}

constexpr size_t kMostParts = 64;  // of one call that are compared with each other

bool any_overlap(const std::vector<Buffer>& read, const std::vector<Buffer>& written) {
  for (size_t i = 0; i < std::min(read.size(), kMostParts); ++i)
    for (size_t k = 0; k < std::min(written.size(), kMostParts); ++k)
      if (overlap(read[i], written[k])) return true;
  return false;
}

// No place may be written twice: what two ranks send has to be received apart.
void check_apart(Call& call, const std::vector<Buffer>& parts) {
  for (size_t i = 1; i < std::min(parts.size(), kMostParts); ++i)
    for (size_t k = 0; k < i; ++k)
      if (overlap(parts[k], parts[i])) {
        invalid<Fact::PartsOverlap>(call, k, i);
        return;
      }
}

// Buffers in place, and memory that is missing where it is needed.
bool check_buffers(Call& call, const Comm& comm, const Movement& moves, const Part& part) {
  const bool is_root = part.root != kUndefined && part.root == rank_in(comm.members, call.m.rank);
  const bool rooted = part.root != kUndefined && moves.kind != MovementKind::Broadcast;
  const bool scatters = moves.kind == MovementKind::Scatter;
  if (!comm.remote.empty() && (part.send.is_in_place || part.receive.is_in_place))
    return reject<Fact::InPlaceBetweenGroups>(call);
  if (!comm.remote.empty()) return true;
  if (part.send.is_in_place && (scatters || moves.of_neighbours || (rooted && !is_root)))
    return rooted ? reject<Fact::SendInPlaceOffRoot>(call) : reject<Fact::SendInPlace>(call);
  if (part.receive.is_in_place && !(scatters && is_root)) return reject<Fact::ReceiveInPlace>(call);
  const bool sends = !scatters || is_root, receives = !rooted || scatters || is_root;
  const bool sums_list = moves.kind == MovementKind::ReduceScatter && moves.lists != Movement::Lists::None;
  const int64_t sent = items_of(part.send, sums_list ? part.receive_counts : part.send_counts),
                received = items_of(part.receive, part.receive_counts);
  for (const auto& [b, items] :
       {std::pair{&part.send, sends ? sent : 0}, std::pair{&part.receive, receives ? received : 0}})
    if (items > 0 && !b->is_in_place && b->type.is_predefined && b->address.is_null())
      return reject<Fact::NullMemory>(call, items);
  const int64_t own = rank_in(comm.members, call.m.rank);
  const std::vector<Buffer> read = sent_by(comm, moves, part, own), written = received_by(comm, moves, part, own);
  check_each(call, read);
  check_each(call, written);
  check_apart(call, written);
  const bool same_start =
      part.send.address.object && part.send.address == part.receive.address && sent > 0 && received > 0;
  if (sends && receives && (same_start || any_overlap(read, written))) invalid<Fact::SendsAndReceives>(call);
  return true;
}

// The root of a broadcast has what it names, the others get it.
bool writes(const Comm& comm, const Movement& moves, const Part& part) {
  return moves.kind != MovementKind::Broadcast || (part.root != kRoot && part.root != rank_in(comm.members, part.rank));
}

}  // namespace

void fill_buffers(Call& call, Part& part) {
  const std::string_view p = call.signature->parameters;
  const int send = call.index('b'), receive = call.index('B');
  auto simple = [&](int at) {
    return at >= 0 && p[static_cast<size_t>(at) + 1] == 'n' ? buffer_of(call, at, at + 1, at + 2)
                                                            : Buffer{.address = call.at(static_cast<size_t>(at))};
  };
  if (send >= 0) part.send = simple(send);
  if (receive >= 0) part.receive = simple(receive);
  if (send >= 0 && receive == send + 1) {  // one count and type for both: reductions
    part.receive = buffer_of(call, receive, receive + 1, receive + 2);
    part.send = buffer_of(call, send, receive + 1, receive + 2);
  }
  part.send.is_in_place = part.send.address == machine::pointer(0, kInPlace);
  part.receive.is_in_place = part.receive.address == machine::pointer(0, kInPlace);
}

bool fill_lists(Call& call, const Comm& comm, const Movement& moves, Part& part) {
  const bool scatters_sums = moves.kind == MovementKind::ReduceScatter;
  const size_t n = comm.remote.empty() || scatters_sums ? comm.members.size() : comm.remote.size();
  const auto own = static_cast<size_t>(rank_in(comm.members, call.m.rank));
  const size_t to = moves.of_neighbours ? destinations_of(comm, own).size() : n,
               from = moves.of_neighbours ? sources_of(comm, own).size() : n;
  const bool is_root =
      part.root == kUndefined || part.root == (comm.remote.empty() ? rank_in(comm.members, call.m.rank) : kRoot);
  const auto take = [&](int at, size_t peers, std::vector<int64_t>& list) {
    return take_list(call, at, peers, list, part, call.count_bytes());
  };
  const auto take_sent = [&](int at, size_t peers) {
    return take(at, peers, part.send_counts) && take(at + 1, peers, part.send_offsets);
  };
  const auto take_received = [&](int at, size_t peers) {
    return take(at, peers, part.receive_counts) && take(at + 1, peers, part.receive_offsets);
  };
  if (moves.lists == Movement::Lists::None) {
    if (scatters_sums) part.send_counts.assign(n, part.receive.count);
    return true;
  }
  if (moves.lists == Movement::Lists::Types) {
    if (part.send.is_in_place) part.counts_known = false;
    return (part.send.is_in_place ||
            take_w_list(call, 0, to, part.send_counts, part.send_offsets, part.send_types, part)) &&
           take_w_list(call, 4, from, part.receive_counts, part.receive_offsets, part.receive_types, part);
  }
  if (scatters_sums) {
    fill_type(call, part.send, 3);
    fill_type(call, part.receive, 3);
    return take(2, n, part.receive_counts);
  }
  if (moves.kind == MovementKind::Scatter) {
    fill_type(call, part.send, 3);
    return !is_root || take_sent(1, n);
  }
  if (moves.kind == MovementKind::AllToAll) {
    fill_type(call, part.send, 3);
    fill_type(call, part.receive, 7);
    if (!moves.of_neighbours && part.send.is_in_place) part.counts_known = false;
    return (part.send.is_in_place || take_sent(1, to)) && take_received(5, from);
  }
  fill_type(call, part.receive, 6);  // gathers
  return !is_root || take_received(4, from);
}

bool check_part(Call& call, const Comm& comm, const Movement& moves, const Part& part) {
  return check_counts(call, part) && check_buffers(call, comm, moves, part);
}

void touch_buffers(Call& call, const Comm& comm, const Movement& moves, const Part& part) {
  const int64_t own = rank_in(comm.members, part.rank);
  for (const Buffer& b : sent_by(comm, moves, part, own)) touch_buffer(call, b, false);
  for (const Buffer& b : received_by(comm, moves, part, own)) touch_buffer(call, b, writes(comm, moves, part));
}

void hold_parts(World& world, uint32_t operation, const Comm& comm, const Part& part, const Movement& moves) {
  const int64_t own = rank_in(comm.members, part.rank);
  for (const Buffer& b : sent_by(comm, moves, part, own)) hold(world, operation, b, false);
  for (const Buffer& b : received_by(comm, moves, part, own)) hold(world, operation, b, writes(comm, moves, part));
}

}  // namespace ranklint::mpi_check
