// The command line of a program whose ranks are threads.
#include <charconv>
#include <cstdio>
#include <string_view>

#include "runtime/group/world.h"

namespace ranklint::runtime {

namespace {

constexpr int kUsageError = 2;

// `--schedules N`: how often to run, each time with other delays; 0 for anything else than that or nothing.
uint64_t schedules_of(int argc, char** argv) {
  if (argc == 1) return 1;
  uint64_t schedules = 0;
  if (argc != 3 || std::string_view(argv[1]) != "--schedules") return 0;
  const std::string_view digits = argv[2];
  const auto [end, error] = std::from_chars(digits.data(), digits.data() + digits.size(), schedules);
  return error == std::errc() && end == digits.data() + digits.size() ? schedules : 0;
}

}  // namespace

int run_program(int argc, char** argv, int world_size, const std::function<void(RankContext&)>& body,
                const WorldOptions& options) {
  const uint64_t schedules = schedules_of(argc, argv);
  if (schedules == 0) {
    std::fprintf(stderr, "usage: %s [--schedules N]\n", argc > 0 ? argv[0] : "PROGRAM");
    return kUsageError;
  }
  for (uint64_t schedule = 0; schedule < schedules; ++schedule) {
    WorldOptions with = options;
    with.schedule_seed = schedule;  // the first run is without delays
    const WorldReport report = run_world(world_size, body, with);
    if (report.ok()) continue;
    std::printf("%s\n", report.verdict.to_json().c_str());
    return 1;
  }
  return 0;
}

}  // namespace ranklint::runtime
