// Runs a world of threads.
#include <thread>

#include "runtime/group/run_body.h"
#include "runtime/group/threads/thread_context.h"

namespace ranklint::runtime {

static std::optional<Error> run_rank(const std::shared_ptr<ThreadWorld>& world, int rank,
                                     const std::function<void(RankContext&)>& body) {
  ThreadContext context(world, rank);
  CallQueue* const queue = world->queue(rank);
  const std::jthread carrier = queue ? std::jthread([queue] { queue->run(); }) : std::jthread();
  std::optional<Error> error = run_body(body, context);
  if (queue) queue->close();  // before the rank is seen to have ended: an idle queue must not look stuck
  if (error)
    world->watchdog().threw(rank, *error);
  else
    world->watchdog().finished(rank);
  return error;
}

WorldReport run_world(int world_size, const std::function<void(RankContext&)>& body, const WorldOptions& options) {
  const auto world = std::make_shared<ThreadWorld>(world_size, options);
  WorldReport report;
  report.errors.resize(static_cast<size_t>(world_size));
  {
    std::vector<std::jthread> threads;
    for (int rank = 0; rank < world_size; ++rank)
      threads.emplace_back([&, rank] { report.errors[static_cast<size_t>(rank)] = run_rank(world, rank, body); });
  }
  world->drop_outstanding();
  report.verdict = world->watchdog().verdict();
  report.flight_records = world->flight_records();
  return report;
}

}  // namespace ranklint::runtime
