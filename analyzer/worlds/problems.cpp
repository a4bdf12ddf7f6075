// Problems, their places, and the witness: what each rank did last.
#include <algorithm>

#include "analyzer/worlds/world.h"

namespace ranklint::worlds {

Mark mark_of(const World& world, uint32_t place) {
  const machine::Place& p = world.program->places[place];
  return {.file = p.file < world.program->files.size() ? world.program->files[p.file] : std::string(), .range = p.range};
}

std::string line_of(const World& world, uint32_t place) { return "line " + std::to_string(world.program->places[place].range.line); }

std::string rank_name(uint32_t rank) { return "rank " + std::to_string(rank); }

Problem& report(World& world, ProblemKind kind, uint32_t rank, uint32_t place, std::string message, std::string help) {
  Problem problem{.kind = kind, .mark = mark_of(world, place), .function = {}, .message = std::move(message), .help = std::move(help)};
  problem.world_size = world.size();
  problem.rank = rank;
  const Machine& m = world.ranks[rank].machine;
  if (!m.frames.empty()) problem.function = world.program->functions[m.frames.back().function].name;
  world.problems.push_back(std::move(problem));
  return world.problems.back();
}

void add_note(World& world, Problem& problem, uint32_t place, std::string text) {
  problem.notes.push_back({mark_of(world, place), std::move(text)});
}

void add_lanes(World& world, Problem& problem) {
  for (uint32_t r = 0; r < world.size(); ++r) {
    const Rank& rank = world.ranks[r];
    Lane lane;
    lane.rank = r;
    const size_t count = std::min<size_t>(rank.steps.size(), 6);
    lane.steps.assign(rank.steps.end() - static_cast<std::ptrdiff_t>(count), rank.steps.end());
    if (rank.waiting) lane.end = "waits in `" + rank.waiting->call + "`" + (rank.waiting->reason.empty() ? "" : " " + rank.waiting->reason);
    else if (rank.is_finalized) lane.end = "has finalized";
    else if (rank.machine.state == Machine::State::Ended) lane.end = "has ended";
    else lane.end = "goes on";
    problem.lanes.push_back(std::move(lane));
  }
  add_posted(world, problem);
}

// A unit is about what comparing two operations or carrying one value costs: some nanoseconds.
constexpr uint64_t kMostWork = 8'000'000;

void spend(World& world, uint64_t work) {
  world.work += work;
  if (world.work > kMostWork) lose(world, "too much communication");
}

void lose(World& world, std::string why) {
  if (world.is_lost) return;
  world.is_lost = true;
  world.lost_because = std::move(why);
}

}  // namespace ranklint::worlds
