#include "runtime/group/threads/thread_world.h"

#include <algorithm>
#include <numeric>
#include <thread>

#include "runtime/group/threads/collective_work.h"

namespace ranklint::runtime {

static std::vector<int> all_ranks(int world_size) {
  std::vector<int> ranks(static_cast<size_t>(world_size));
  std::iota(ranks.begin(), ranks.end(), 0);
  return ranks;
}

static int patience_for(int world_size) {
  const bool own_cores = static_cast<unsigned>(world_size) <= std::thread::hardware_concurrency();
  return own_cores ? 40 * kPausesToAYield - 1 : 20;  // the first yield comes late: it takes longer than most waits
}

ThreadWorld::ThreadWorld(int world_size, const WorldOptions& options)
    : options_(options),
      patience_(patience_for(world_size)),
      watchdog_(world_size, options.mode == Mode::OneQueue, options) {
  const bool queues = options.mode == Mode::OneQueue;
  first_seat_ = queues ? world_size : 0;
  recorders_.reserve(static_cast<size_t>(world_size));  // others keep their addresses
  for (int rank = 0; rank < world_size; ++rank) {
    recorders_.emplace_back(rank, options.recorder_entries, options.default_timeout)
        .add_group({0, "world", all_ranks(world_size)});
    if (queues) queues_.push_back(std::make_unique<CallQueue>(watchdog_, rank, first_seat_ + rank));
  }
  world_group_ = std::make_unique<ThreadGroup>(
      *this, GroupInfo{.id = 0, .name = "world", .ranks = all_ranks(world_size), .first_seat = first_seat_});
}

ThreadWorld::~ThreadWorld() = default;

Deadline ThreadWorld::deadline(std::chrono::milliseconds timeout) const {
  return deadline_after(options_.in_force(timeout));
}

void ThreadWorld::throw_if_ended() const {
  if (watchdog_.ended()) throw RankError(watchdog_.error());
}

ThreadGroup& ThreadWorld::group_made_in(uint64_t sequence, int color, std::vector<int> ranks, const std::string& name) {
  const std::lock_guard lock(mutex_);
  std::unique_ptr<ThreadGroup>& group = groups_[{sequence, color}];
  if (!group) {
    const uint64_t id = sequence << 32 | static_cast<uint32_t>(color);
    group = std::make_unique<ThreadGroup>(
        *this, GroupInfo{.id = id, .name = name, .ranks = std::move(ranks), .first_seat = first_seat_});
  }
  return *group;
}

std::vector<std::string> ThreadWorld::flight_records() {
  clock_.read_again();
  const Verdict verdict = watchdog_.verdict();
  const auto is_completed = [this](uint64_t group, uint64_t sequence) {
    return std::any_of(recorders_.begin(), recorders_.end(),
                       [&](const Recorder& recorder) { return recorder.has_completed(group, sequence); });
  };
  std::vector<std::string> records;
  for (const Recorder& recorder : recorders_) records.push_back(recorder.to_json(clock_, verdict, is_completed));
  return records;
}

void ThreadWorld::drop_outstanding() {
  std::vector<ThreadGroup*> all = {world_group_.get()};
  for (const auto& [made_in, group] : groups_) all.push_back(group.get());
  std::vector<Unmet> unmet;
  for (ThreadGroup* const group : all)
    if (!watchdog_.ended()) group->add_unmet(unmet);  // else ranks have left calls half made
  watchdog_.left(std::move(unmet));
  for (ThreadGroup* const group : all) group->forget_all();
}

}  // namespace ranklint::runtime
