// Runs one of the hang programs by its name.
#include <cstdio>
#include <string_view>

#define HANG_PROGRAM(name, side) int hang_##name##_##side(int argc, char** argv);
#include "programs.inc"
#undef HANG_PROGRAM

struct Program {
  std::string_view name, side;
  int (*main)(int argc, char** argv);
};

static constexpr Program kPrograms[] = {
#define HANG_PROGRAM(name, side) {#name, #side, hang_##name##_##side},
#include "programs.inc"
#undef HANG_PROGRAM
};

int main(int argc, char** argv) {
  if (argc >= 3)
    for (const Program& program : kPrograms)
      if (program.name == argv[1] && program.side == argv[2]) return program.main(argc - 2, argv + 2);
  std::fprintf(
      stderr,
      "usage: %s NAME wrong|fixed [--schedules N] [--records PREFIX], where NAME is a folder of testdata/hangs\n",
      argv[0]);
  return 2;
}
