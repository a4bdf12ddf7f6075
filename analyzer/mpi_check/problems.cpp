// Problems, their places, and the witness: what each rank did last.
#include <algorithm>

#include "analyzer/mpi_check/world.h"

namespace ranklint::mpi_check {

bool operator==(const Statement& a, const Statement& b) { return a.fact == b.fact && a.arguments == b.arguments; }

Mark mark_of(const World& world, uint32_t place) {
  const machine::SourceLocation& p = world.program->places[place];
  return {.file = p.file < world.program->files.size() ? world.program->files[p.file] : std::string(),
          .range = p.range};
}

Problem& report(World& world, uint32_t rank, uint32_t place, Statement statement) {
  Problem problem{.kind = *info_of(statement.fact).kind,
                  .mark = mark_of(world, place),
                  .function = {},
                  .statement = std::move(statement)};
  problem.world_size = world.size();
  problem.rank = rank;
  const Machine& m = world.ranks[rank].machine;
  if (!m.frames.empty()) problem.function = world.program->functions[m.frames.back().function].name;
  world.problems.push_back(std::move(problem));
  return world.problems.back();
}

void add_note(World& world, Problem& problem, uint32_t place, Statement statement) {
  problem.notes.push_back({mark_of(world, place), std::move(statement)});
}

Statement class_phrase(HandleClass handle_class) {
  using enum HandleClass;
  switch (handle_class) {
    case Comm: return state<Fact::Communicator>();
    case Group: return state<Fact::Group>();
    case Type: return state<Fact::Datatype>();
    case Operator: return state<Fact::ReductionOperator>();
    case Request: return state<Fact::Request>();
    case Win: return state<Fact::Window>();
    case Info: return state<Fact::InfoObject>();
    case Errhandler: return state<Fact::ErrorHandler>();
    case File: return state<Fact::File>();
    case Message: return state<Fact::MessageHandle>();
    case Session: return state<Fact::Session>();
    case None: return state<Fact::AnyHandle>();
  }
  return state<Fact::AnyHandle>();
}

Statement rank_phrase(int64_t rank) {
  if (rank == kAnySource) return state<Fact::AnyRank>();
  return rank == kProcNull ? state<Fact::NoRank>() : state<Fact::OneRank>(rank);
}

Statement tag_phrase(int64_t tag) { return tag == kAnyTag ? state<Fact::AnyTag>() : state<Fact::OneTag>(tag); }

Argument comm_name(const Comm& comm) {
  if (comm.owner == HandleClass::None) return comm.name;
  return Phrase(comm.owner == HandleClass::File ? state<Fact::OfFile>() : state<Fact::OfWindow>());
}

namespace {

constexpr size_t kMostLanes = 8;
constexpr size_t kMostLaneSteps = 6;

// The collective of the rank that is not that of the others; null: there is none.
const Posted* out_of_step(const World& world, uint32_t rank) {
  for (const auto& [who, posted] : world.out_of_step)
    if (who == rank) return &posted;
  return nullptr;
}

Statement end_of(const World& world, uint32_t r) {
  const Rank& rank = world.ranks[r];
  if (rank.waiting) return rank.waiting->statement;
  if (const Posted* posted = out_of_step(world, r)) return state<Fact::WaitsIn>(posted->call);
  if (rank.is_finalized) return state<Fact::HasFinalized>();
  return rank.machine.state == Machine::State::Ended ? state<Fact::HasEnded>() : state<Fact::GoesOn>();
}

bool is_like(const Lane& a, const Lane& b) { return a.end == b.end && a.steps == b.steps; }

}  // namespace

// In a large world, of ranks that do the same only the first is shown.
void add_lanes(World& world, Problem& problem) {
  for (uint32_t r = 0; r < world.size(); ++r) {
    Lane lane{.rank = r, .steps = {}, .end = end_of(world, r)};
    const std::vector<Note>& steps = world.ranks[r].steps;
    lane.steps.assign(steps.end() - static_cast<std::ptrdiff_t>(std::min(steps.size(), kMostLaneSteps)), steps.end());
    const bool is_left_out =
        world.size() > kMostLanes &&
        (problem.lanes.size() >= kMostLanes ||
         std::any_of(problem.lanes.begin(), problem.lanes.end(), [&](const Lane& l) { return is_like(l, lane); }));
    if (!is_left_out || r == problem.rank) problem.lanes.push_back(std::move(lane));
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

}  // namespace ranklint::mpi_check
