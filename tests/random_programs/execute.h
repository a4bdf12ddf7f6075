// The truth about a program: every rank executed, in every world of up to eight ranks, under every choice.
#pragma once

#include <optional>

#include "tests/random_programs/match.h"
#include "tests/random_programs/program.h"

namespace ranklint::random_programs {

// A world and the choices under which some rank waits forever.
struct Hang {
  Mesh mesh;
  bool flags[2] = {false, false};
  int rounds = 0;               // n0
  bool parameter = false;       // of the function that is started
  Axis group = Axis::World;     // handed to it
  size_t start = 0;             // which function
  std::vector<uint32_t> local;  // per rank: what it sees, a bit each time it looks
};

// Empty: it hangs nowhere. In worlds of more than four ranks at most one sees something else than the others do by
// themselves.
std::optional<Hang> find_hang(const Program& program, Sends sends = Sends::Wait);

// What comes of these choices, in MPI, where a rank may send to itself; nothing: one of them fails.
std::optional<Ending> ending_in_mpi(const Program& program, const Hang& choices, Sends sends);

// In the exact domain, and not one with messages that hangs in worlds of some sizes and in others, of two ranks or
// more, comes to its end whatever is chosen: it may have been written for one of those. Nor one that hangs only where
// all send or all receive: the other half may be elsewhere.
bool is_exact(const Program& program);

// Whether a rank in a world of this size sends to one that is not there, or to itself.
bool addresses_nobody(const Program& program, int ranks);

// Whether some function hangs when all ranks start it by itself, with one parameter and one kind of group on all.
bool some_function_hangs(const Program& program);

}  // namespace ranklint::random_programs
