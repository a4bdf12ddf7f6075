// Matches what the ranks do, a list for each: which of them wait forever.
#pragma once

#include <vector>

#include "tests/random_programs/program.h"

namespace ranklint::random_programs {

// Ranks in `outer` meshes of tp times dp ranks.
struct Mesh {
  int outer = 1, tp = 1, dp = 1;
  bool tp_is_fastest = true;  // how ranks are numbered

  int size() const { return outer * tp * dp; }
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

struct Coordinates {
  int rank = 0, tp = 0, dp = 0, outer = 0;
};
Coordinates coordinates(const Mesh& mesh, int rank);

// Whether a send is over before its receiver has come.
enum class Sends : uint8_t { Wait, Buffered };

struct Issued {
  enum class Kind : uint8_t { Collective, Send, Receive, Wait };
  Kind kind = Kind::Collective;
  Axis axis = Axis::World;  // Collective
  Op op = Op::AllReduce;    // Collective
  int peer = 0, tag = 0;    // Send, Receive
  size_t started = 0;       // Wait: where in the list the transfer is that it waits for
};

// When nothing moves any more.
struct Ending {
  bool stuck = false;            // some rank is left
  bool leaves_messages = false;  // some message was sent and never received
  bool both_ways = false;        // somebody sends and somebody receives
};
Ending ending_of(const Mesh& mesh, const std::vector<std::vector<Issued>>& lists, Sends sends);

}  // namespace ranklint::random_programs
