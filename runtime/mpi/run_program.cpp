// The command line of a program whose ranks are processes where an `mpirun` has started it, and threads where none has.
#include <cstdio>

#include "runtime/group/program.h"
#include "runtime/group/run_body.h"
#include "runtime/mpi/departure.h"
#include "runtime/mpi/process_context.h"
#include "runtime/mpi/session.h"

namespace ranklint::runtime {

static WorldReport run_process(Wire& wire, Names& names, const std::function<void(RankContext&)>& body,
                               const WorldOptions& options) {
  const auto world = std::make_shared<ProcessWorld>(wire, names, options);
  std::optional<Error> error;
  {
    Departure departure(*world);
    ProcessContext context(world);
    error = run_body(body, context);
    departure.body_has_ended();
  }
  return world->end(std::move(error));
}

int run_program(int argc, char** argv, int world_size, const std::function<void(RankContext&)>& body,
                const WorldOptions& options) {
  const ProgramArguments arguments = parse_program_arguments(argc, argv);
  if (!started_by_mpirun() || !arguments.runs())
    return run_schedules(arguments, world_size, options,
                         [&](const WorldOptions& with) { return run_threads(world_size, body, with); });
  const MpiSession session(&argc, &argv);
  if (const std::string objection = session.objection(world_size); !objection.empty()) {
    std::fprintf(stderr, "%s: %s\n", argv[0], objection.c_str());
    return kUsageError;
  }
  Wire wire;
  Names names;
  return run_schedules(
      arguments, world_size, options, [&](const WorldOptions& with) { return run_process(wire, names, body, with); },
      wire.rank() == 0);
}

}  // namespace ranklint::runtime
