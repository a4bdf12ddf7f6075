// Which threads may call MPI. The world has one thread a rank: a block of OpenMP is done once, a thread of its own not
// at all. What is called there is judged by the level that was asked for, and where several threads do call, the run
// stops.
#include <algorithm>
#include <array>
#include <set>

#include "analyzer/mpi_check/call.h"

namespace ranklint::mpi_check {

namespace {

using machine::Region;

enum Level : int64_t { kSingle, kFunneled, kSerialized, kMultiple };

constexpr std::array<const char*, 4> kLevels = {"MPI_THREAD_SINGLE", "MPI_THREAD_FUNNELED", "MPI_THREAD_SERIALIZED",
                                                "MPI_THREAD_MULTIPLE"};

// What the blocks around a call ask for.
int64_t level_within(const std::vector<Region>& regions) {
  int64_t level = kSingle;
  for (const Region region : regions) {
    if (region == Region::Parallel)
      level = kMultiple;
    else if (level == kSingle || region == Region::Loop)
      continue;  // one of those blocks, outside of any that several threads do
    else
      level = region == Region::Master ? kFunneled : kSerialized;
  }
  return level;
}

bool is_of_one_thread(const std::vector<Region>& regions) {
  for (size_t i = regions.size(); i-- > 0 && regions[i] != Region::Parallel;)
    if (regions[i] == Region::Master || regions[i] == Region::Single) return true;
  return false;
}

// Whether all threads come by, and none waits for another one.
bool is_of_all_at_once(const Call& call) {
  constexpr std::array<std::string_view, 4> kLocks = {"omp_set_lock", "omp_set_nest_lock", "pthread_mutex_lock",
                                                      "mtx_lock"};
  const auto& externals = call.m.program->externals;
  const bool has_locks = std::any_of(kLocks.begin(), kLocks.end(), [&](std::string_view lock) {
    return std::find(externals.begin(), externals.end(), lock) != externals.end();
  });
  return !has_locks && !call.m.regions.empty() && call.m.regions.back() == Region::Parallel;
}

// A communicator that is known is the same for all threads: which thread it is that does the block is not.
bool shares_communicator(Call& call) {
  return call.signature && is_collective(*call.signature) && comm_of(call, call.argument('c')) &&
         is_of_all_at_once(call);
}

Statement level_of(const Rank& rank) {
  const char* name = kLevels[static_cast<size_t>(rank.thread_level)];
  return rank.asked_for_threads ? state<Fact::LevelAskedFor>(name) : state<Fact::LevelOfInit>(name);
}

void report_level(Call& call, uint32_t place, const std::string& name, Statement who, int64_t needed) {
  report<Fact::WrongThread>(call.world, call.m.rank, place, name, std::move(who), level_of(call.rank),
                            kLevels[static_cast<size_t>(needed)]);
}

// The first call of MPI that the function reaches: its step.
const machine::Step* first_call(const machine::Program& program, uint32_t function, std::set<uint32_t>& seen) {
  if (function >= program.functions.size() || !seen.insert(function).second) return nullptr;
  for (const machine::Step& step : program.functions[function].steps) {
    if (step.kind == machine::StepKind::CallExternal &&
        program.externals[static_cast<size_t>(step.number)].starts_with("MPI_"))
      return &step;
    if (step.kind != machine::StepKind::Call) continue;
    if (const machine::Step* found = first_call(program, static_cast<uint32_t>(step.number), seen)) return found;
  }
  return nullptr;
}

}  // namespace

std::optional<CallResult> check_threads(Call& call) {
  const auto& regions = call.m.regions;
  const int64_t needed = level_within(regions);
  if (needed == kSingle) return std::nullopt;
  const int64_t level = call.rank.thread_level;
  const bool is_harmless = needed == kFunneled && !call.rank.asked_for_threads;  // the main thread, as ever
  if (level >= 0 && level < needed && !is_harmless) {
    Statement who = needed == kMultiple   ? state<Fact::SeveralThreads>()
                    : needed == kFunneled ? state<Fact::MainThread>()
                                          : state<Fact::AnyThread>();
    report_level(call, call.place, call.name, std::move(who), needed);
    return stop(call);
  }
  if (is_of_one_thread(regions)) return std::nullopt;
  if (shares_communicator(call)) return refuse<Fact::ThreadsShareCommunicator>(call);
  return not_known(call, "`" + call.name + "` is called by several threads");
}

CallResult start_thread(Call& call) {
  const Value body = call.at(call.name == "thrd_create" ? 1 : 2);
  if (body.kind != Value::Kind::Function) return not_known(call, "what a thread does is not known");
  std::set<uint32_t> seen;
  const machine::Step* step = first_call(*call.m.program, static_cast<uint32_t>(body.number), seen);
  const int64_t level = call.rank.thread_level;
  if (step && level >= 0 && level < kSerialized) {
    report_level(call, step->place, call.m.program->externals[static_cast<size_t>(step->number)],
                 state<Fact::OwnThread>(), kMultiple);
    return stop(call);
  }
  return not_known(call, "a thread of its own");
}

}  // namespace ranklint::mpi_check
