// The command line of a program whose ranks are threads. Alone in its file: runtime_mpi_* brings a `run_program` of its
// own, and a program that is linked with it takes nothing from here.
#include "runtime/group/program.h"

namespace ranklint::runtime {

int run_program(int argc, char** argv, int world_size, const std::function<void(RankContext&)>& body,
                const WorldOptions& options) {
  return run_schedules(parse_program_arguments(argc, argv), world_size, options,
                       [&](const WorldOptions& with) { return run_threads(world_size, body, with); });
}

}  // namespace ranklint::runtime
