// Runs a world of threads.
#include <cstdio>
#include <cstdlib>
#include <system_error>
#include <thread>

#include "runtime/group/run_body.h"
#include "runtime/group/threads/thread_context.h"

namespace ranklint::runtime {

namespace {

// What a thread leaves behind when a rank's body calls std::exit: that ends the thread's objects first, and then the
// process would end as if all were well.
class Presence {
 public:
  ~Presence() {
    if (rank_ < 0) return;
    std::fprintf(stderr, "rank %d has left its process inside of its body\n", rank_);
    std::fflush(stderr);
    std::_Exit(1);
  }
  void enter(int rank) { rank_ = rank; }
  void leave() { rank_ = -1; }

 private:
  int rank_ = -1;
};

// Tells how a rank has ended, also when its body ends the thread (pthread_exit).
class Departure {
 public:
  Departure(ThreadWorld& world, int rank, std::optional<Error>& error) : world_(world), rank_(rank), error_(error) {
    error_ = Error{.kind = ErrorKind::Body, .message = "its thread has ended inside of its body"};
    presence().enter(rank);
  }
  ~Departure() {
    presence().leave();
    if (CallQueue* const queue = world_.queue(rank_))
      queue->close();  // before the rank is seen to have ended: an idle queue must not look stuck
    if (error_)
      world_.watchdog().threw(rank_, *error_);
    else
      world_.watchdog().finished(rank_);
  }
  Departure(const Departure&) = delete;
  Departure& operator=(const Departure&) = delete;

 private:
  static Presence& presence() {
    static thread_local Presence here;
    return here;
  }

  ThreadWorld& world_;
  int rank_;
  std::optional<Error>& error_;
};

// The system may have no thread left to give.
template <typename F>
std::optional<Error> start(std::jthread& thread, F run) {
  try {
    thread = std::jthread(std::move(run));
    return std::nullopt;
  } catch (const std::system_error& error) {
    return Error{.kind = ErrorKind::Io, .message = std::string("a thread can not be started: ") + error.what()};
  }
}

void run_rank(const std::shared_ptr<ThreadWorld>& world, int rank, const std::function<void(RankContext&)>& body,
              std::optional<Error>& error) {
  world->watchdog().begin(rank);
  ThreadContext context(world, rank);
  std::jthread carrier;
  const Departure departure(*world, rank, error);
  if (CallQueue* const queue = world->queue(rank)) {
    error = start(carrier, [queue] { queue->run(); });
    if (error) return queue->abandon();
  }
  error = run_body(body, context);
}

// Its thread does not start: the others hear of it as they hear of a rank that throws.
void fail_rank(ThreadWorld& world, int rank, const Error& error) {
  if (CallQueue* const queue = world.queue(rank)) queue->abandon();
  world.watchdog().threw(rank, error);
}

}  // namespace

WorldReport run_world(int world_size, const std::function<void(RankContext&)>& body, const WorldOptions& options) {
  if (world_size < 1) fail(ErrorKind::InvalidArgument, "a world of " + std::to_string(world_size) + " ranks");
  const auto world = std::make_shared<ThreadWorld>(world_size, options);
  WorldReport report;
  report.errors.resize(static_cast<size_t>(world_size));
  {
    std::vector<std::jthread> threads(static_cast<size_t>(world_size));
    for (int rank = 0; rank < world_size; ++rank) {
      std::optional<Error>& error = report.errors[static_cast<size_t>(rank)];
      const std::optional<Error> not_started =
          start(threads[static_cast<size_t>(rank)], [&, rank] { run_rank(world, rank, body, error); });
      if (not_started) fail_rank(*world, rank, *(error = not_started));
    }
  }
  world->drop_outstanding();
  report.verdict = world->watchdog().verdict();
  report.flight_records = world->flight_records();
  return report;
}

}  // namespace ranklint::runtime
