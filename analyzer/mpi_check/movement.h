// What a collective moves between its members, in whichever form it is called: `MPI_Ibcast` and `MPI_Bcast_init` are a
// broadcast. The table of calls states it, so no code has to look at the name.
#pragma once

#include <cstdint>

namespace ranklint::mpi_check {

enum class MovementKind : uint8_t {
  None,  // it makes, opens or frees something
  Barrier,
  Broadcast,
  Reduce,
  AllReduce,
  Scan,
  Exscan,
  Gather,
  Scatter,
  AllGather,
  AllToAll,
  ReduceScatter,
};

struct Movement {
  // A count for each peer (and offsets, but for a reduction), or a type for each as well.
  enum class Lists : uint8_t { None, Counts, Types };
  // Persistent: it is described once, and moves whenever it is started.
  enum class Form : uint8_t { Waits, Immediate, Persistent };

  MovementKind kind = MovementKind::None;
  Lists lists = Lists::None;
  bool of_neighbours = false;  // of the communicator's topology, not of all
  Form form = Form::Waits;

  constexpr Movement with(Lists given) const {
    return {.kind = kind, .lists = given, .of_neighbours = of_neighbours, .form = form};
  }
  constexpr Movement with(Form given) const {
    return {.kind = kind, .lists = lists, .of_neighbours = of_neighbours, .form = given};
  }
  constexpr Movement between_neighbours() const {
    return {.kind = kind, .lists = lists, .of_neighbours = true, .form = form};
  }

  // What is described is moved later.
  bool moves_now() const { return kind != MovementKind::None && form != Form::Persistent; }
  // Each gives all others the same, or gets the same of all.
  bool is_of_all() const {
    return !of_neighbours &&
           (kind == MovementKind::AllReduce || kind == MovementKind::AllGather || kind == MovementKind::AllToAll);
  }
  // What one rank has and another gets lies in its memory piece by piece.
  bool moves_pieces() const {
    return kind == MovementKind::Gather || kind == MovementKind::Scatter || kind == MovementKind::AllGather ||
           kind == MovementKind::AllToAll;
  }
  // Whether what is sent (or received) is split into one part for each peer.
  bool is_split(bool sends) const {
    return sends ? kind == MovementKind::Scatter || kind == MovementKind::AllToAll : kind != MovementKind::Scatter;
  }
  // Whether the parts of what is sent, or received, are in a list: those of the others are as long as the message.
  bool has_list(bool sends) const {
    if (lists == Lists::None || kind == MovementKind::ReduceScatter) return false;
    return kind == MovementKind::AllToAll || sends == (kind == MovementKind::Scatter);
  }
};

// The rows of the table of calls: kGather.with(kCounts) is that of `MPI_Gatherv`.
inline constexpr Movement kBarrier{.kind = MovementKind::Barrier}, kBroadcast{.kind = MovementKind::Broadcast},
    kReduce{.kind = MovementKind::Reduce}, kAllReduce{.kind = MovementKind::AllReduce},
    kScan{.kind = MovementKind::Scan}, kExscan{.kind = MovementKind::Exscan}, kGather{.kind = MovementKind::Gather},
    kScatter{.kind = MovementKind::Scatter}, kAllGather{.kind = MovementKind::AllGather},
    kAllToAll{.kind = MovementKind::AllToAll}, kReduceScatter{.kind = MovementKind::ReduceScatter};
inline constexpr Movement::Lists kCounts = Movement::Lists::Counts, kTypes = Movement::Lists::Types;
inline constexpr Movement::Form kImmediate = Movement::Form::Immediate, kPersistent = Movement::Form::Persistent;

}  // namespace ranklint::mpi_check
