// The truth about a program: every rank executed, in every world of up to eight ranks, under every choice.
#pragma once

#include <optional>

#include "tests/random_programs/program.h"

namespace ranklint::random_programs {

// Ranks in `outer` meshes of tp times dp ranks.
struct Mesh {
  int outer = 1, tp = 1, dp = 1;
  bool tp_is_fastest = true;  // how ranks are numbered

  int size() const { return outer * tp * dp; }
  friend bool operator==(const Mesh&, const Mesh&) = default;
};

// A world and the choices under which some rank waits for ever.
struct Hang {
  Mesh mesh;
  bool flags[2] = {false, false};
  int rounds = 0;               // n0
  bool parameter = false;       // of the function that is started
  Axis group = Axis::World;     // handed to it
  size_t start = 0;             // which function
  std::vector<uint32_t> local;  // per rank: what it sees, a bit each time it looks
};

// Empty: it hangs nowhere. Of a program with locals only worlds of up to four ranks are tried.
std::optional<Hang> find_hang(const Program& program);

// Whether some function hangs when all ranks start it by itself, with one parameter and one kind of group on all.
bool some_function_hangs(const Program& program);

}  // namespace ranklint::random_programs
