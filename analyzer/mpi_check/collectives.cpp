// Collectives: which rank arrives at which, whether their arguments fit together, and what they carry.
#include <algorithm>
#include <array>

#include "analyzer/mpi_check/call.h"
#include "analyzer/mpi_check/collective_data.h"
#include "analyzer/mpi_check/collective_layout.h"

namespace ranklint::mpi_check {

namespace {

std::vector<uint32_t> everyone(const Comm& comm) {
  std::vector<uint32_t> all = comm.members;
  all.insert(all.end(), comm.remote.begin(), comm.remote.end());
  return all;
}

const Operation& operation_of(const World& world, const Part& part) { return world.operations[part.operation]; }

std::string comm_text(const Comm& comm) { return "`" + comm.name + "`"; }

std::string root_text(int64_t root) {
  return root == kRoot ? "`MPI_ROOT`" : root == kProcNull ? "`MPI_PROC_NULL`" : std::to_string(root);
}

// Of an inter-communicator one rank is the root and says so, the others of its side say that they are not, and the
// other side names it.
bool same_root_of_sides(World& world, const Collective& c) {
  const Comm& comm = world.comms[c.comm];
  if (c.any_part().root == kUndefined) return true;
  const auto root = std::find_if(c.parts.begin(), c.parts.end(), [](const auto& p) { return p.second.root == kRoot; });
  const bool has_root = root != c.parts.end();
  const Part& first = has_root ? root->second : c.any_part();
  const auto& own_side = rank_in(comm.members, first.rank) >= 0 ? comm.members : comm.remote;
  const auto is_right = [&](const Part& part) {
    return has_root && part.root == (part.rank == first.rank             ? kRoot
                                     : rank_in(own_side, part.rank) >= 0 ? kProcNull
                                                                         : rank_in(own_side, first.rank));
  };
  const auto wrong = std::find_if(c.parts.rbegin(), c.parts.rend(), [&](const auto& p) { return !is_right(p.second); });
  if (wrong == c.parts.rend()) return true;
  differ(world, first, wrong->second, "root", root_text(first.root), root_text(wrong->second.root)).help =
      "give `MPI_ROOT` on one rank, `MPI_PROC_NULL` on the others of its side, and its number on the other side";
  return false;
}

bool same_root(World& world, const Collective& c) {
  if (!world.comms[c.comm].remote.empty()) return same_root_of_sides(world, c);
  const Part& first = c.any_part();
  for (const auto& [rank, part] : c.parts)
    if (part.root != first.root) {
      differ(world, first, part, "root", std::to_string(first.root), std::to_string(part.root));
      return false;
    }
  return true;
}

bool same_operator(World& world, const Collective& c) {
  const Part& first = c.any_part();
  for (const auto& [rank, part] : c.parts)
    if (part.op && first.op && part.op->name != first.op->name) {
      differ(world, first, part, "operator", "`" + first.op->name + "`", "`" + part.op->name + "`");
      return false;
    }
  return true;
}

// Where everybody has a part of what all get, it lies in place on all ranks or on none.
bool same_place(World& world, const Collective& c) {
  if (!c.moves.is_of_all()) return true;
  const Part& first = c.any_part();
  const auto place = [](const Part& part) { return part.send.is_in_place ? "`MPI_IN_PLACE`" : "memory of its own"; };
  for (const auto& [rank, part] : c.parts)
    if (part.send.is_in_place != first.send.is_in_place) {
      differ(world, first, part, "send buffer", place(first), place(part)).help =
          "give `MPI_IN_PLACE` on all ranks or on none";
      return false;
    }
  return true;
}

bool same_message(World& world, const Part& a, const Buffer& from, const Part& b, const Buffer& to) {
  if (from.is_in_place || to.is_in_place || same_signature(from.type, from.count, to.type, to.count, false))
    return true;
  differ(world, a, b, "message", type_text(from), type_text(to));
  return false;
}

// What a member receives of another has to be what was sent.
bool same_pairs(World& world, const Collective& c) {
  for (const Piece& piece : pieces_of(world, c)) {
    if (!piece.from->counts_known || !piece.to->counts_known) continue;
    if (!same_message(world, *piece.from, piece.sent, *piece.to, piece.received)) return false;
  }
  return true;
}

// What the rank has for all, or gets.
Buffer message_of(const Movement& moves, const Part& part) {
  Buffer b =
      moves.kind == MovementKind::Broadcast || part.send.is_in_place || part.root == kRoot ? part.receive : part.send;
  b.is_in_place = false;
  return b;
}

// Whether all give, or get, as much as each other: one message, on any rank.
bool has_one_message(const Movement& moves, bool has_sides) {
  if (moves.kind == MovementKind::ReduceScatter) return moves.lists == Movement::Lists::None && !has_sides;
  return moves.kind == MovementKind::Broadcast || moves.kind == MovementKind::Reduce ||
         moves.kind == MovementKind::AllReduce || moves.kind == MovementKind::Scan ||
         moves.kind == MovementKind::Exscan;
}

bool same_buffers(World& world, const Collective& c) {
  const bool has_sides = !world.comms[c.comm].remote.empty();
  const Part& first = c.any_part();
  if (has_one_message(c.moves, has_sides)) {
    const Part* one = nullptr;
    for (const auto& [rank, part] : c.parts) {
      if (part.root == kProcNull) continue;
      if (one && !same_message(world, *one, message_of(c.moves, *one), part, message_of(c.moves, part))) return false;
      if (!one) one = &part;
    }
    return true;
  }
  if (c.moves.kind == MovementKind::ReduceScatter) {
    if (has_sides) return true;  // the sums have to be equal, which is not looked at
    auto one_of = [](Buffer b) {
      b.count = 1;
      b.is_in_place = false;
      return b;
    };
    for (const auto& [rank, part] : c.parts) {
      if (part.counts_known && first.counts_known && part.receive_counts != first.receive_counts) {
        differ(world, first, part, "list of counts", "one", "another");
        return false;
      }
      if (!same_message(world, first, one_of(first.receive), part, one_of(part.receive))) return false;
    }
    return true;
  }
  return same_pairs(world, c);
}

// Which ranks know of which when it is over: all of all, or only through the root.
void join_clocks(World& world, Collective& c) {
  const MovementKind kind = c.moves.kind;
  const bool from_root = kind == MovementKind::Broadcast || kind == MovementKind::Scatter,
             to_root = kind == MovementKind::Reduce || kind == MovementKind::Gather;
  std::vector<uint64_t> all(world.size(), 0);
  for (const auto& [rank, part] : c.parts) {
    if (from_root && rank_in(world.comms[c.comm].members, rank) != part.root) continue;
    const auto& clock = world.operations[part.operation].clock;
    for (size_t i = 0; i < all.size() && i < clock.size(); ++i) all[i] = std::max(all[i], clock[i]);
  }
  for (const auto& [rank, part] : c.parts) {
    const bool learns = !to_root || rank_in(world.comms[c.comm].members, rank) == part.root;
    if (learns) world.operations[part.operation].clock = all;
  }
}

void complete(World& world, Collective& c) {
  c.is_done = true;
  if (!same_root(world, c) || !same_operator(world, c) || !same_place(world, c) || !same_buffers(world, c)) {
    world.is_stopped = true;
    return;
  }
  if (c.moves.moves_now())
    move_data(world, c);
  else if (c.name.starts_with("Win_"))
    complete_window_call(world, c);
  else if (c.name.starts_with("File_"))
    complete_file_call(world, c);
  else
    complete_creation(world, c);
  if (c.name != "Intercomm_create")
    for (const auto& [rank, part] : c.parts) world.operations[part.operation].is_done = true;
  join_clocks(world, c);
}

void report_mismatch(World& world, const Collective& c, Call& call) {
  const Part& first = c.any_part();
  const Operation& o = operation_of(world, first);
  const Comm& comm = world.comms[c.comm];
  world.out_of_step.emplace_back(call.m.rank, Posted{.call = call.name,
                                                     .reduce = {},
                                                     .channel = comm.channel,
                                                     .members = comm.members,
                                                     .terms = {},
                                                     .mark = mark_of(world, call.place)});
  Problem& p = report(world, ProblemKind::CollectiveMismatch, call.m.rank, call.place,
                      "`" + call.name + "` on " + comm_text(comm) + " is issued by " + rank_name(call.m.rank) +
                          " where " + rank_name(first.rank) + " issues `" + o.call + "`",
                      "issue the same collectives in the same order on all ranks of the communicator");
  add_note(world, p, o.place, rank_name(first.rank) + " issues `" + o.call + "` here");
  add_lanes(world, p);
  world.is_stopped = true;
}

// ---- arguments --------------------------------------------------------------------------------------------------

// The data buffers of the call, by the letters of its signature.
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

void fill_type(Call& call, Buffer& b, int type) {
  const Buffer typed = buffer_of(call, 0, -1, type);
  b.type = typed.type;
  b.type_name = typed.type_name;
}

// A list of one number for each of `n` peers; whether the call can go on.
bool take_list(Call& call, int at, size_t n, std::vector<int64_t>& list, Part& part, uint32_t size_bytes) {
  const Value where = at < 0 ? machine::unknown() : call.at(static_cast<size_t>(at));
  if (where.is_null() && n) {
    invalid(call, "`" + call.name + "` is given a null pointer for a list of " + std::to_string(n) + " numbers",
            "give a number for each rank");
    return false;
  }
  for (size_t i = 0; i < n && where.points(); ++i)
    if (load_at(call, where, static_cast<int64_t>(i * size_bytes), size_bytes).kind == Value::Kind::Undefined) {
      invalid(call, "`" + call.name + "` is given a list whose number " + std::to_string(i) + " was never set",
              "set a number for each rank");
      return false;
    }
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

// The lists of counts and offsets, which only the root needs where there is one. Whether the call can go on.
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

bool check_counts(Call& call, const Part& part) {
  for (const auto* list : {&part.send_counts, &part.receive_counts})
    for (const int64_t n : *list)
      if (n < 0) {
        invalid(call, "`" + call.name + "` is given the count " + std::to_string(n), "a count is zero or more");
        return false;
      }
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
        invalid(call,
                "`" + call.name + "` receives the parts " + std::to_string(k) + " and " + std::to_string(i) +
                    " in the same memory",
                "give each part a place of its own", ProblemKind::AliasedBuffers);
        return;
      }
}

// Buffers in place, and memory that is missing where it is needed.
bool check_buffers(Call& call, const Comm& comm, const Movement& moves, const Part& part) {
  const bool is_root = part.root != kUndefined && part.root == rank_in(comm.members, call.m.rank);
  const bool rooted = part.root != kUndefined && moves.kind != MovementKind::Broadcast;
  const bool scatters = moves.kind == MovementKind::Scatter;
  if (!comm.remote.empty() && (part.send.is_in_place || part.receive.is_in_place)) {
    invalid(call, "`" + call.name + "` does not take `MPI_IN_PLACE` on an inter-communicator", "give memory");
    return false;
  }
  if (!comm.remote.empty()) return true;
  if (part.send.is_in_place && (scatters || moves.of_neighbours || (rooted && !is_root))) {
    invalid(call,
            "`" + call.name + "` does not take `MPI_IN_PLACE` for what " +
                (rooted ? "a rank other than the root" : "it") + " sends",
            "give memory");
    return false;
  }
  if (part.receive.is_in_place && !(scatters && is_root)) {
    invalid(call, "`" + call.name + "` does not take `MPI_IN_PLACE` for what it receives",
            "give `MPI_IN_PLACE` for what is sent");
    return false;
  }
  const bool sends = !scatters || is_root, receives = !rooted || scatters || is_root;
  const bool sums_list = moves.kind == MovementKind::ReduceScatter && moves.lists != Movement::Lists::None;
  const int64_t sent = items_of(part.send, sums_list ? part.receive_counts : part.send_counts),
                received = items_of(part.receive, part.receive_counts);
  for (const auto& [b, items] :
       {std::pair{&part.send, sends ? sent : 0}, std::pair{&part.receive, receives ? received : 0}})
    if (items > 0 && !b->is_in_place && b->type.is_predefined && b->address.is_null()) {
      invalid(call, "`" + call.name + "` is given a null pointer for " + std::to_string(items) + " items",
              "give memory for the message");
      return false;
    }
  const int64_t own = rank_in(comm.members, call.m.rank);
  const std::vector<Buffer> read = sent_by(comm, moves, part, own), written = received_by(comm, moves, part, own);
  check_each(call, read);
  check_each(call, written);
  check_apart(call, written);
  const bool same_start =
      part.send.address.object && part.send.address == part.receive.address && sent > 0 && received > 0;
  if (sends && receives && (same_start || any_overlap(read, written)))
    invalid(call, "`" + call.name + "` sends and receives in the same memory", "use two buffers, or `MPI_IN_PLACE`",
            ProblemKind::AliasedBuffers);
  return true;
}

// The root of a broadcast has what it names, the others get it.
bool writes(const Comm& comm, const Movement& moves, const Part& part) {
  return moves.kind != MovementKind::Broadcast || (part.root != kRoot && part.root != rank_in(comm.members, part.rank));
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

// Where the ranks of the communicator meet: by its channel, and how many came before there.
using Meeting = std::pair<uint32_t, uint32_t>;

std::optional<uint32_t> meet(Call& call, uint32_t comm_id, Meeting at, const std::string& name, Part part,
                             Movement moves) {
  World& world = call.world;
  auto [it, is_new] = world.collective_at.try_emplace(at, static_cast<uint32_t>(world.collectives.size()));
  if (is_new)
    world.collectives.push_back({.name = name,
                                 .moves = moves,
                                 .comm = comm_id,
                                 .starts = moves.form == Movement::Form::Persistent ? world.channels++ : 0});
  Collective& c = world.collectives[it->second];
  if (c.name != name) {
    report_mismatch(world, c, call);
    return std::nullopt;
  }
  Operation o{.kind = Operation::Kind::Collective,
              .rank = call.m.rank,
              .comm = comm_id,
              .place = call.place,
              .call = call.name};
  o.collective = it->second;
  o.clock = call.rank.clock;
  const auto id = static_cast<uint32_t>(world.operations.size());
  world.operations.push_back(std::move(o));
  part.rank = call.m.rank;
  part.operation = id;
  c.parts[part.rank] = std::move(part);
  if (c.parts.size() == everyone(world.comms[comm_id]).size()) complete(world, c);
  return id;
}

// Persistent collectives meet when they are described, in the order of all collectives; each start of one meets the
// same start of the others, in any order of a rank's starts (MPI 4.0, 6.13).
CallResult describe(Call& call, uint32_t comm, const Part& part) {
  const Movement moves = call.signature->moves;
  const auto id = arrive(call, comm, call.name.substr(4), part, moves);
  if (!id) return stop(call);
  const uint32_t request = make_request(call, call.argument('q'), {});
  World& world = call.world;
  Request& r = world.requests[request];
  r.is_persistent = true;
  r.is_active = false;
  const uint32_t channel = world.collectives[world.operations[*id].collective].starts;
  r.start = [&world, &m = call.m, part, comm, channel, started = moves.with(Movement::Form::Immediate),
             name = call.name, place = call.place, signature = call.signature, starts = 0u]() mutable {
    Call again{.world = world,
               .m = m,
               .rank = world.of(m),
               .signature = signature,
               .name = name,
               .arguments = {},
               .place = place};
    const auto operation = meet(again, comm, {channel, starts++}, name.substr(4), part, started);
    if (!operation) return std::vector<uint32_t>{};
    hold_parts(world, *operation, world.comms[comm], part, started);
    return std::vector<uint32_t>{*operation};
  };
  return wait_for(call, {*id});
}

CallResult collective(Call& call) {
  const Movement moves = call.signature->moves;
  const auto comm = comm_of(call, call.argument('c'));
  if (!comm) return not_known(call, "the communicator of `" + call.name + "` is not known");
  const Comm& c = call.world.comms[*comm];
  if ((moves.kind == MovementKind::Scan || moves.kind == MovementKind::Exscan) && !c.remote.empty())
    return refuse(call, "is given an inter-communicator", "give a communicator of one group",
                  ProblemKind::InvalidHandle);
  Part part{.rank = call.m.rank};
  fill_buffers(call, part);
  if (const int at = call.index('r'); at >= 0) {
    const auto root = number(call.at(static_cast<size_t>(at)));
    if (!root) return not_known(call, "the root of `" + call.name + "` is not known");
    part.root = *root;
  }
  if (const int at = call.index('o'); at >= 0) {
    const Handle* h = handle_at(call, call.at(static_cast<size_t>(at)));
    part.op = h ? call.world.operators[h->id] : Operator{};
    if (!h) part.counts_known = false;
  }
  if (!fill_lists(call, c, moves, part) || !check_counts(call, part) || !check_buffers(call, c, moves, part))
    return stop(call);
  if (moves.of_neighbours && c.topology.kind == Topology::Kind::None)
    return refuse(call, "on a communicator without a topology",
                  "make one with `MPI_Cart_create` or `MPI_Dist_graph_create`");
  touch_buffers(call, c, moves, part);
  note_step(call, "`" + call.name + "` on " + comm_text(c));
  const uint32_t comm_id = *comm;
  if (moves.form == Movement::Form::Persistent) return describe(call, comm_id, part);
  const auto id = arrive(call, *comm, call.name.substr(4), part, moves);
  if (!id) return stop(call);
  if (moves.form == Movement::Form::Waits) return wait_for(call, {*id});
  make_request(call, call.argument('q'), {*id});
  hold_parts(call.world, *id, call.world.comms[comm_id], part, moves);
  return success();
}

constexpr std::array kCollectiveCalls = {
    Signature{"Barrier", "c", collective, kBarrier},
    Signature{"Bcast", "Bntrc", collective, kBroadcast},
    Signature{"Reduce", "bBntorc", collective, kReduce},
    Signature{"Allreduce", "bBntoc", collective, kAllReduce},
    Signature{"Scan", "bBntoc", collective, kScan},
    Signature{"Exscan", "bBntoc", collective, kExscan},
    Signature{"Gather", "bntBntrc", collective, kGather},
    Signature{"Scatter", "bntBntrc", collective, kScatter},
    Signature{"Allgather", "bntBntc", collective, kAllGather},
    Signature{"Alltoall", "bntBntc", collective, kAllToAll},
    Signature{"Gatherv", "bntB..trc", collective, kGather.with(kCounts)},
    Signature{"Scatterv", "b..tBntrc", collective, kScatter.with(kCounts)},
    Signature{"Allgatherv", "bntB..tc", collective, kAllGather.with(kCounts)},
    Signature{"Alltoallv", "b..tB..tc", collective, kAllToAll.with(kCounts)},
    Signature{"Alltoallw", "b...B...c", collective, kAllToAll.with(kTypes)},
    Signature{"Reduce_scatter", "bB.toc", collective, kReduceScatter.with(kCounts)},
    Signature{"Reduce_scatter_block", "bBntoc", collective, kReduceScatter},
    Signature{"Neighbor_allgather", "bntBntc", collective, kAllGather.between_neighbours()},
    Signature{"Neighbor_allgatherv", "bntB..tc", collective, kAllGather.with(kCounts).between_neighbours()},
    Signature{"Neighbor_alltoall", "bntBntc", collective, kAllToAll.between_neighbours()},
    Signature{"Neighbor_alltoallv", "b..tB..tc", collective, kAllToAll.with(kCounts).between_neighbours()},
    Signature{"Neighbor_alltoallw", "b...B...c", collective, kAllToAll.with(kTypes).between_neighbours()},
    Signature{"Ibarrier", "cq", collective, kBarrier.with(kImmediate)},
    Signature{"Ibcast", "Bntrcq", collective, kBroadcast.with(kImmediate)},
    Signature{"Ireduce", "bBntorcq", collective, kReduce.with(kImmediate)},
    Signature{"Iallreduce", "bBntocq", collective, kAllReduce.with(kImmediate)},
    Signature{"Iscan", "bBntocq", collective, kScan.with(kImmediate)},
    Signature{"Iexscan", "bBntocq", collective, kExscan.with(kImmediate)},
    Signature{"Igather", "bntBntrcq", collective, kGather.with(kImmediate)},
    Signature{"Iscatter", "bntBntrcq", collective, kScatter.with(kImmediate)},
    Signature{"Iallgather", "bntBntcq", collective, kAllGather.with(kImmediate)},
    Signature{"Ialltoall", "bntBntcq", collective, kAllToAll.with(kImmediate)},
    Signature{"Igatherv", "bntB..trcq", collective, kGather.with(kCounts).with(kImmediate)},
    Signature{"Iscatterv", "b..tBntrcq", collective, kScatter.with(kCounts).with(kImmediate)},
    Signature{"Iallgatherv", "bntB..tcq", collective, kAllGather.with(kCounts).with(kImmediate)},
    Signature{"Ialltoallv", "b..tB..tcq", collective, kAllToAll.with(kCounts).with(kImmediate)},
    Signature{"Ialltoallw", "b...B...cq", collective, kAllToAll.with(kTypes).with(kImmediate)},
    Signature{"Ireduce_scatter", "bB.tocq", collective, kReduceScatter.with(kCounts).with(kImmediate)},
    Signature{"Ireduce_scatter_block", "bBntocq", collective, kReduceScatter.with(kImmediate)},
    Signature{"Ineighbor_allgather", "bntBntcq", collective, kAllGather.between_neighbours().with(kImmediate)},
    Signature{"Ineighbor_allgatherv", "bntB..tcq", collective,
              kAllGather.with(kCounts).between_neighbours().with(kImmediate)},
    Signature{"Ineighbor_alltoall", "bntBntcq", collective, kAllToAll.between_neighbours().with(kImmediate)},
    Signature{"Ineighbor_alltoallv", "b..tB..tcq", collective,
              kAllToAll.with(kCounts).between_neighbours().with(kImmediate)},
    Signature{"Ineighbor_alltoallw", "b...B...cq", collective,
              kAllToAll.with(kTypes).between_neighbours().with(kImmediate)},
    Signature{"Barrier_init", "cIq", collective, kBarrier.with(kPersistent)},
    Signature{"Bcast_init", "BntrcIq", collective, kBroadcast.with(kPersistent)},
    Signature{"Reduce_init", "bBntorcIq", collective, kReduce.with(kPersistent)},
    Signature{"Allreduce_init", "bBntocIq", collective, kAllReduce.with(kPersistent)},
    Signature{"Gather_init", "bntBntrcIq", collective, kGather.with(kPersistent)},
    Signature{"Scatter_init", "bntBntrcIq", collective, kScatter.with(kPersistent)},
    Signature{"Allgather_init", "bntBntcIq", collective, kAllGather.with(kPersistent)},
    Signature{"Alltoall_init", "bntBntcIq", collective, kAllToAll.with(kPersistent)},
    Signature{"Scan_init", "bBntocIq", collective, kScan.with(kPersistent)},
    Signature{"Exscan_init", "bBntocIq", collective, kExscan.with(kPersistent)},
    Signature{"Gatherv_init", "bntB..trcIq", collective, kGather.with(kCounts).with(kPersistent)},
    Signature{"Scatterv_init", "b..tBntrcIq", collective, kScatter.with(kCounts).with(kPersistent)},
    Signature{"Allgatherv_init", "bntB..tcIq", collective, kAllGather.with(kCounts).with(kPersistent)},
    Signature{"Alltoallv_init", "b..tB..tcIq", collective, kAllToAll.with(kCounts).with(kPersistent)},
    Signature{"Alltoallw_init", "b...B...cIq", collective, kAllToAll.with(kTypes).with(kPersistent)},
    Signature{"Reduce_scatter_init", "bB.tocIq", collective, kReduceScatter.with(kCounts).with(kPersistent)},
    Signature{"Reduce_scatter_block_init", "bBntocIq", collective, kReduceScatter.with(kPersistent)},
    Signature{"Neighbor_allgather_init", "bntBntcIq", collective, kAllGather.between_neighbours().with(kPersistent)},
    Signature{"Neighbor_allgatherv_init", "bntB..tcIq", collective,
              kAllGather.with(kCounts).between_neighbours().with(kPersistent)},
    Signature{"Neighbor_alltoall_init", "bntBntcIq", collective, kAllToAll.between_neighbours().with(kPersistent)},
    Signature{"Neighbor_alltoallv_init", "b..tB..tcIq", collective,
              kAllToAll.with(kCounts).between_neighbours().with(kPersistent)},
    Signature{"Neighbor_alltoallw_init", "b...B...cIq", collective,
              kAllToAll.with(kTypes).between_neighbours().with(kPersistent)},
};

}  // namespace

Problem& differ(World& world, const Part& a, const Part& b, const std::string& what, const std::string& on_a,
                const std::string& on_b) {
  const Operation &first = operation_of(world, a), &second = operation_of(world, b);
  Problem& p = report(world, ProblemKind::CollectiveArguments, b.rank, second.place,
                      "`" + second.call + "` on " + comm_text(world.comms[second.comm]) + ": the " + what + " is " +
                          on_a + " on " + rank_name(a.rank) + " and " + on_b + " on " + rank_name(b.rank),
                      "give the same " + what + " on all ranks");
  if (first.place != second.place) add_note(world, p, first.place, rank_name(a.rank) + " calls it here");
  add_posted(world, p);
  for (const auto& [rank, part] : world.collectives[first.collective].parts)
    for (Posted& posted : p.posted[rank])
      if (posted.mark.range == world.program->places[operation_of(world, part).place].range)
        posted.terms = what + " " + (rank == b.rank ? on_b : on_a);
  return p;
}

std::optional<uint32_t> arrive(Call& call, uint32_t comm_id, const std::string& name, Part part, Movement moves) {
  Comm& comm = call.world.comms[comm_id];
  const int64_t own = rank_in(comm.members, call.m.rank);
  if (own < 0) return std::nullopt;
  return meet(call, comm_id, {comm.channel, comm.issued[static_cast<size_t>(own)]++}, name, std::move(part), moves);
}

std::span<const Signature> collective_calls() { return kCollectiveCalls; }

}  // namespace ranklint::mpi_check
