#include "runtime/group/program.h"

#include <charconv>
#include <cstdio>
#include <string_view>

namespace ranklint::runtime {

static uint64_t number_of(std::string_view digits) {
  uint64_t number = 0;
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), number);
  return error == std::errc() && end == digits.data() + digits.size() ? number : 0;
}

ProgramArguments parse_program_arguments(int argc, char** argv) {
  ProgramArguments arguments;
  if (argc > 0) arguments.program = argv[0];
  if (argc <= 1) return arguments;
  const std::string_view first = argv[1];
  arguments.asks_ranks = argc == 2 && first == "--ranks";
  if (!arguments.asks_ranks) arguments.schedules = argc == 3 && first == "--schedules" ? number_of(argv[2]) : 0;
  return arguments;
}

int run_schedules(const ProgramArguments& arguments, int world_size, const WorldOptions& options,
                  const std::function<WorldReport(const WorldOptions&)>& run, bool speaks) {
  if (arguments.asks_ranks) return std::printf("%d\n", world_size) > 0 ? 0 : 1;
  if (arguments.schedules == 0) {
    std::fprintf(stderr, "usage: %s [--schedules N | --ranks]\n", arguments.program);
    return kUsageError;
  }
  for (uint64_t schedule = 0; schedule < arguments.schedules; ++schedule) {
    WorldOptions with = options;
    with.schedule_seed = schedule;  // the first run is without delays
    const WorldReport report = run(with);
    if (report.ok()) continue;
    if (speaks) std::printf("%s\n", report.verdict.to_json().c_str());
    std::fflush(stdout);  // over MPI others may take this process down as soon as they have ended
    return 1;
  }
  return 0;
}

}  // namespace ranklint::runtime
