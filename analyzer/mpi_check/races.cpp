#include "analyzer/mpi_check/races.h"

#include <algorithm>

namespace ranklint::mpi_check {

namespace {

uint64_t mixed(uint64_t hash, uint64_t with) {
  hash ^= with + 0x9e3779b97f4a7c15 + (hash << 6) + (hash >> 2);
  return hash * 0xbf58476d1ce4e5b9;
}

// An unknown value equals nothing.
void show(Rank& rank, const Value& v) {
  if (!v.known()) rank.shows_unknown = true;
  rank.shown =
      mixed(mixed(mixed(rank.shown, static_cast<uint64_t>(v.kind)), v.object), static_cast<uint64_t>(v.number));
}

// The content of the memory that a call reads, as far as a text or a few numbers go.
void show_memory(Rank& rank, const Value& address) {
  constexpr size_t kMostValues = 64;
  const machine::Object& object = rank.machine.at(address.object);
  size_t shown = 0;
  for (const Value& v : object.dense) {
    if (++shown > kMostValues) break;
    show(rank, v);
  }
  for (const auto& [at, cell] : object.sparse) {
    if (++shown > kMostValues) break;
    show(rank, cell.value);
  }
  if (shown > kMostValues) rank.shows_unknown = true;
}

// Whether the runs can show that it matters: what came is known, another sender's is something else, and the program
// reads it.
bool is_shown(const World& world, const Race& race) {
  const auto payload = [&](uint32_t sender) -> const std::vector<Value>& { return world.operations[sender].payload; };
  const bool is_known = std::all_of(race.senders.begin(), race.senders.end(), [&](uint32_t s) {
    return world.operations[s].payload_known &&
           std::all_of(payload(s).begin(), payload(s).end(), [](const Value& v) { return v.known(); });
  });
  return is_known && race.value_is_read && std::any_of(race.senders.begin(), race.senders.end(), [&](uint32_t s) {
           return payload(s) != payload(race.senders[0]);
         });
}

template <Fact fact>
Problem problem_of(World& world, const Race& race, const std::string& call) {
  Problem& p = report<fact>(world, race.rank, race.place, call, race.sources[0], race.sources[1]);
  for (const uint32_t s : race.senders)
    add_note<Fact::SendsHere>(world, p, world.operations[s].place, world.operations[s].rank);
  Problem problem = std::move(p);
  world.problems.pop_back();
  return problem;
}

// Another receive of the rank that took a message which this one could have had; null: there is none.
const Operation* rival_of(const World& world, const Race& race) {
  for (const Operation& o : world.operations) {
    const bool is_other =
        o.kind == Operation::Kind::Receive && o.rank == race.rank && o.place != race.place && o.is_matched;
    if (is_other && std::find(race.senders.begin(), race.senders.end(), o.partner) != race.senders.end()) return &o;
  }
  return nullptr;
}

std::vector<uint32_t> branches_of(const World& world) {
  std::vector<uint32_t> branches;
  for (const Choice& c : world.choices)
    if (c.is_branch) branches.push_back(c.taken);
  return branches;
}

// The rank that has ended the job, by itself; nothing: none has, or a problem of it is reported already.
std::optional<uint32_t> who_gave_up(const World& world) {
  if (!world.is_stopped || world.is_lost || !world.problems.empty()) return std::nullopt;
  for (const Rank& rank : world.ranks)
    if (rank.machine.state == Machine::State::Ended && !rank.is_finalized) return rank.machine.rank;
  return std::nullopt;
}

}  // namespace

void begin_race(World& world, Race race, const Value& memory) {
  Rank& rank = world.ranks[race.rank];
  rank.has_raced = true;
  if (memory.points()) {
    race.memory = memory.object;
    ++rank.machine.at(memory.object).watches;
  }
  world.races.push_back(std::move(race));
}

void note_read(World& world, const Machine& m, const machine::Access& access) {
  if (access.is_write || !world.ranks[m.rank].has_raced) return;
  spend(world, world.races.size());
  for (Race& race : world.races) {
    if (race.rank != m.rank) continue;
    if (race.status == access.object && access.offset < 8) race.source_is_read = true;
    if (race.memory == access.object) race.value_is_read = true;
  }
}

void show_call(World& world, const Machine& m, const std::string& name, std::span<const Value> arguments) {
  Rank& rank = world.ranks[m.rank];
  if (!rank.has_raced) return;
  if (!m.shadows.empty()) rank.shows_unknown = true;
  rank.shown = mixed(rank.shown, std::hash<std::string>()(name));
  const bool is_mpi = name.starts_with("MPI_") || name.starts_with("PMPI_");
  for (const Value& v : arguments) {
    // A call of MPI gets the address that it writes to as well, and what it reads is shown when it does.
    if (is_mpi && !v.known()) continue;
    show(rank, v);
    if (!is_mpi && v.points()) show_memory(rank, v);
  }
}

void show_items(World& world, uint32_t rank, std::span<const Value> items, bool known) {
  if (!world.ranks[rank].has_raced) return;
  if (!known) world.ranks[rank].shows_unknown = true;
  for (const Value& v : items) show(world.ranks[rank], v);
}

void Races::hear(World& world) {
  if (world.is_lost) return;
  Runs& runs = runs_[branches_of(world)];
  if (const auto rank = who_gave_up(world)) {
    const auto last =
        std::find_if(world.races.rbegin(), world.races.rend(), [&](const Race& race) { return race.rank == *rank; });
    if (last != world.races.rend()) runs.fatal.push_back(problem_of<Fact::FatalRace>(world, *last, last->call));
  }
  if (world.is_stopped) return;
  std::vector<uint64_t> shown;
  for (const Rank& rank : world.ranks) {
    shown.push_back(rank.shown);
    runs.differ = runs.differ || rank.shows_unknown;
  }
  if (!runs.finished++) runs.shown = shown;
  runs.differ = runs.differ || runs.shown != shown;
  for (const Race& race : world.races) {
    const Operation* rival = race.source_is_read ? nullptr : rival_of(world, race);
    if (!rival) continue;
    const bool is_open = is_shown(world, race);
    (is_open ? runs.open : certain_).push_back(problem_of<Fact::RivalReceive>(world, race, rival->call));
    if (!is_open) return;
  }
}

std::vector<Problem> Races::settle() {
  std::vector<Problem> matter = std::move(certain_);
  for (auto& [branches, runs] : runs_) {
    if (runs.differ || runs.finished < 2) std::move(runs.open.begin(), runs.open.end(), std::back_inserter(matter));
    if (runs.finished) std::move(runs.fatal.begin(), runs.fatal.end(), std::back_inserter(matter));
  }
  return matter;
}

}  // namespace ranklint::mpi_check
