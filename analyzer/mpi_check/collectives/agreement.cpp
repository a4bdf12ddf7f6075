// The agreement of collectives: one root, one operator, buffers in place on all or on none, and messages of one type
// and length.
#include "analyzer/mpi_check/collectives/agreement.h"

#include <algorithm>

#include "analyzer/mpi_check/collectives/layout.h"

namespace ranklint::mpi_check {

namespace {

const Operation& operation_of(const World& world, const Part& part) { return world.operations[part.operation]; }

Argument root_argument(int64_t root) {
  if (root == kRoot) return Phrase(state<Fact::Named>("MPI_ROOT"));
  if (root == kProcNull) return Phrase(state<Fact::Named>("MPI_PROC_NULL"));
  return root;
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
  differ<Fact::RootsOfSidesDiffer>(world, first, wrong->second, state<Fact::Root>(), root_argument(first.root),
                                   root_argument(wrong->second.root));
  return false;
}

bool same_root(World& world, const Collective& c) {
  if (!world.comms[c.comm].remote.empty()) return same_root_of_sides(world, c);
  const Part& first = c.any_part();
  for (const auto& [rank, part] : c.parts)
    if (part.root != first.root) {
      differ(world, first, part, state<Fact::Root>(), first.root, part.root);
      return false;
    }
  return true;
}

Argument operator_argument(const Operator& op) {
  if (op.is_user) return Phrase(state<Fact::Named>(Phrase(state<Fact::OperatorMadeAt>(op.made_at))));
  return Phrase(state<Fact::Named>(op.name));
}

bool is_same_operator(const Operator& a, const Operator& b) {
  return a.name == b.name && a.made_at.range.line == b.made_at.range.line;
}

bool same_operator(World& world, const Collective& c) {
  const Part& first = c.any_part();
  for (const auto& [rank, part] : c.parts)
    if (part.op && first.op && !is_same_operator(*part.op, *first.op)) {
      differ(world, first, part, state<Fact::Reduction>(), operator_argument(*first.op), operator_argument(*part.op));
      return false;
    }
  return true;
}

// Where everybody has a part of what all get, it lies in place on all ranks or on none.
bool same_place(World& world, const Collective& c) {
  if (!c.moves.is_of_all()) return true;
  const Part& first = c.any_part();
  const auto place = [](const Part& part) -> Argument {
    return Phrase(part.send.is_in_place ? state<Fact::Named>("MPI_IN_PLACE") : state<Fact::OwnMemory>());
  };
  for (const auto& [rank, part] : c.parts)
    if (part.send.is_in_place != first.send.is_in_place) {
      differ<Fact::PlacesDiffer>(world, first, part, state<Fact::SendBuffer>(), place(first), place(part));
      return false;
    }
  return true;
}

bool same_message(World& world, const Part& a, const Buffer& from, const Part& b, const Buffer& to) {
  if (from.is_in_place || to.is_in_place || same_signature(from.type, from.count, to.type, to.count, false))
    return true;
  differ(world, a, b, state<Fact::WholeMessage>(), Phrase(items_phrase(from)), Phrase(items_phrase(to)));
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
        differ_in_one(world, first, part, state<Fact::ListOfCounts>());
        return false;
      }
      if (!same_message(world, first, one_of(first.receive), part, one_of(part.receive))) return false;
    }
    return true;
  }
  return same_pairs(world, c);
}

}  // namespace

bool fit_together(World& world, const Collective& c) {
  return same_root(world, c) && same_operator(world, c) && same_place(world, c) && same_buffers(world, c);
}

void report_mismatch(World& world, const Collective& c, Call& call) {
  const Part& first = c.any_part();
  const Operation& o = operation_of(world, first);
  const Comm& comm = world.comms[c.comm];
  world.out_of_step.emplace_back(call.m.rank, Posted{.call = call.name,
                                                     .reduce = {},
                                                     .channel = comm.channel,
                                                     .members = comm.members,
                                                     .term = {},
                                                     .mark = mark_of(world, call.place)});
  Problem& p = invalid<Fact::OtherCollective>(call, comm_name(comm), call.m.rank, first.rank, o.call);
  add_note<Fact::IssuesHere>(world, p, o.place, first.rank, o.call);
  add_lanes(world, p);
  world.is_stopped = true;
}

void report_difference(World& world, const Part& a, const Part& b, const Statement& what, const Argument& on_a,
                       const Argument& on_b, Fact fact) {
  const Operation &first = operation_of(world, a), &second = operation_of(world, b);
  Problem& p = report<Fact::ArgumentsDiffer>(world, b.rank, second.place, second.call,
                                             comm_name(world.comms[second.comm]), what, on_a, a.rank, on_b, b.rank);
  p.statement.fact = fact;
  if (first.place != second.place) add_note<Fact::CallsItHere>(world, p, first.place, a.rank);
  add_posted(world, p);
  for (const auto& [rank, part] : world.collectives[first.collective].parts)
    for (Posted& posted : p.posted[rank])
      if (posted.mark.range == world.program->places[operation_of(world, part).place].range)
        posted.term = state<Fact::Term>(what, rank == b.rank ? on_b : on_a);
}

void differ_in_one(World& world, const Part& a, const Part& b, const Statement& what) {
  differ(world, a, b, what, Phrase(state<Fact::One>()), Phrase(state<Fact::Another>()));
}

}  // namespace ranklint::mpi_check
