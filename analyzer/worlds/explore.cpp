// Which worlds are run: sizes, the choices that all ranks share, the senders that a wildcard may take.
//
// A run is determined by its choices, so another one is explored by running again with another choice at the end of the
// list: no state is copied or kept (stateless search, as in Godefroid's VeriSoft). The search is bounded; where the bound
// was met, nothing is called exact.
//
// Four ranks show what two and three show, and more: a first, a last, two in between. A program that gives up in such a
// world is asked for its own size. One that leaves ranks waiting of which it has no idea was written for fewer.
#include <algorithm>
#include <set>

#include "analyzer/worlds/world.h"

namespace ranklint::worlds {

namespace {

constexpr size_t kMostRuns = 24;       // of one size
constexpr size_t kMostShortRuns = 200; // while all of them together take few steps
constexpr uint64_t kFewSteps = 200'000;
constexpr uint64_t kMostSteps = 3'000'000;  // of all ranks in all runs: where it is met, no further run begins
constexpr uint32_t kSizes[] = {4, 2, 3, 5, 6, 8, 16};

// The next list of choices in depth-first order; nothing: all were tried.
std::optional<std::vector<uint32_t>> next_choices(const std::vector<Choice>& made) {
  for (size_t i = made.size(); i-- > 0;) {
    if (made[i].taken + 1 >= made[i].options) continue;
    std::vector<uint32_t> wanted;
    for (size_t k = 0; k < i; ++k) wanted.push_back(made[k].taken);
    wanted.push_back(made[i].taken + 1);
    return wanted;
  }
  return std::nullopt;
}

// Two receives of any source that could each have had the other's message: which buffer holds what is open.
void report_races(World& world) {
  for (const Race& race : world.races) {
    if (race.source_is_read) continue;
    const auto same_rank = [&](const Operation& o) {
      return o.kind == Operation::Kind::Receive && o.rank == race.rank && o.place != race.place && o.is_matched;
    };
    for (const Operation& o : world.operations) {
      if (!same_rank(o) || std::find(race.senders.begin(), race.senders.end(), o.partner) == race.senders.end()) continue;
      Problem& p = report(world, ProblemKind::MessageRace, race.rank, race.place,
                          "which message `" + o.call + "` takes is open: " + rank_name(race.sources[0]) + " and " + rank_name(race.sources[1]) + " both send one that fits",
                          "name the source, or tell the messages apart by their tags");
      for (const uint32_t s : race.senders) add_note(world, p, world.operations[s].place, rank_name(world.operations[s].rank) + " sends here");
      return;
    }
  }
}

// What all runs of one size say.
struct SizeResult {
  std::vector<Problem> problems = {};
  std::set<std::tuple<int, std::string, SourceRange>> met = {};
  std::set<uint32_t> functions = {};
  bool has_finished = false;
  bool is_exact = true;
  std::string lost_because = {};

  bool is_clean() const { return has_finished && problems.empty(); }
};

void gather(SizeResult& all, World& world) {
  for (const Rank& rank : world.ranks)
    for (uint32_t f = 0; f < rank.machine.entered.size(); ++f)
      if (rank.machine.entered[f]) all.functions.insert(f);
  for (Problem& p : world.problems)
    if (all.met.emplace(static_cast<int>(p.kind), p.mark.file, p.mark.range).second) all.problems.push_back(std::move(p));
  all.has_finished = all.has_finished || world.is_finished;
  if (!world.is_lost) return;
  all.is_exact = false;
  all.lost_because = world.lost_because;
}

SizeResult run_size(const machine::Program& program, uint32_t size, uint64_t& steps) {
  SizeResult result;
  std::vector<uint32_t> wanted;
  for (size_t run = 0; run < kMostRuns || (run < kMostShortRuns && steps < kFewSteps); ++run) {
    World world;
    world.wanted = wanted;
    run_world(world, program, size);
    if (!world.is_lost && !world.is_stopped) report_races(world);
    for (const Rank& rank : world.ranks) steps += rank.machine.steps;
    const auto next = next_choices(world.choices);
    gather(result, world);
    if (!next) return result;
    if (steps > kMostSteps) break;
    wanted = *next;
  }
  result.is_exact = false;
  result.lost_because = "there are more ways to go than are tried";
  return result;
}

// Ranks that wait in vain and do not exist in a smaller world that comes to its end.
void drop_spare_ranks(const machine::Program& program, SizeResult& result, uint64_t& steps) {
  for (const uint32_t size : {2u, 3u}) {
    auto is_spare = [&](const Problem& p) { return p.kind == ProblemKind::UnmatchedMessage && p.rank >= size && p.world_size > size; };
    if (!result.problems.empty() && std::all_of(result.problems.begin(), result.problems.end(), is_spare) && run_size(program, size, steps).is_clean())
      result.problems.clear();
  }
}

}  // namespace

Verdict explore(const machine::Program& program) {
  SizeResult result;
  uint64_t steps = 0;
  for (const uint32_t size : kSizes) {
    result = run_size(program, size, steps);
    if (steps > kMostSteps || result.has_finished || !result.problems.empty() || !result.is_exact) break;
  }
  drop_spare_ranks(program, result, steps);
  Verdict verdict;
  verdict.is_exact = result.is_exact && (result.has_finished || !result.problems.empty());
  verdict.lost_because = result.lost_because;
  for (const uint32_t f : result.functions) {
    const machine::Place& p = program.places[program.functions[f].place];
    if (p.range.known()) verdict.reached.push_back({program.files[p.file], p.range});
  }
  verdict.problems = std::move(result.problems);
  std::sort(verdict.problems.begin(), verdict.problems.end(), [](const Problem& a, const Problem& b) {
    return std::tie(a.mark.file, a.mark.range, a.kind, a.message) < std::tie(b.mark.file, b.mark.range, b.kind, b.message);
  });
  return verdict;
}

}  // namespace ranklint::worlds
