#include "runtime/group/program.h"

#include <charconv>
#include <cstdio>
#include <fstream>
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
  arguments.asks_ranks = argc == 2 && std::string_view(argv[1]) == "--ranks";
  for (int i = 1; i < argc && !arguments.asks_ranks; i += 2) {
    const std::string_view option = argv[i], value = i + 1 < argc ? argv[i + 1] : "";
    if (option == "--schedules")
      arguments.schedules = number_of(value);
    else if (option == "--records" && !value.empty())
      arguments.records = value;
    else
      arguments.schedules = 0;
    if (arguments.schedules == 0) break;
  }
  return arguments;
}

// Of processes each has its own rank's alone.
static bool write_records(const std::string& prefix, const std::vector<std::string>& records) {
  for (size_t rank = 0; rank < records.size() && !prefix.empty(); ++rank) {
    if (records[rank].empty()) continue;
    const std::string path = prefix + std::to_string(rank);
    std::ofstream file(path);
    file << records[rank] << "\n" << std::flush;
    if (file) continue;
    std::fprintf(stderr, "%s: the flight record can not be written\n", path.c_str());
    return false;
  }
  return true;
}

WorldReport run_threads(int world_size, const std::function<void(RankContext&)>& body, WorldOptions options) {
  if (!options.on_verdict)
    options.on_verdict = [](const Verdict& verdict) {
      std::fputs(verdict.to_text().c_str(), stderr);
      std::fflush(stderr);
    };
  return run_world(world_size, body, options);
}

int run_schedules(const ProgramArguments& arguments, int world_size, const WorldOptions& options,
                  const std::function<WorldReport(const WorldOptions&)>& run, bool speaks) {
  if (arguments.asks_ranks) return std::printf("%d\n", world_size) > 0 ? 0 : 1;
  if (world_size < 1) {
    std::fprintf(stderr, "%s: a world of %d ranks\n", arguments.program, world_size);
    return kUsageError;
  }
  if (arguments.schedules == 0) {
    std::fprintf(stderr, "usage: %s [--schedules N] [--records PREFIX] | --ranks\n", arguments.program);
    return kUsageError;
  }
  for (uint64_t schedule = 0; schedule < arguments.schedules; ++schedule) {
    WorldOptions with = options;
    with.schedule_seed = schedule;  // the first run is without delays
    const WorldReport report = run(with);
    const bool last = !report.ok() || schedule + 1 == arguments.schedules;
    if (last && !write_records(arguments.records, report.flight_records)) return kUsageError;
    if (report.ok()) continue;
    if (speaks) std::printf("%s\n", report.verdict.to_json().c_str());
    std::fflush(stdout);  // over MPI others may take this process down as soon as they have ended
    return 1;
  }
  return 0;
}

}  // namespace ranklint::runtime
