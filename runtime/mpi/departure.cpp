#include "runtime/mpi/departure.h"

#include <cstdio>
#include <cstdlib>

#include "runtime/mpi/session.h"

namespace ranklint::runtime {

namespace {

[[noreturn]] void end_process(ProcessWorld& world, const char* how) {
  const WorldReport report = world.end(Error{.kind = ErrorKind::Body, .message = how});
  if (world.rank() == 0) std::printf("%s\n", report.verdict.to_json().c_str());
  MpiSession::finalize();
  std::_Exit(1);
}

// std::exit ends the objects of its thread first, before anything that the world needs; the body's frames still stand.
class Presence {
 public:
  ~Presence() {
    if (world_) end_process(*world_, "its process has ended inside of its body");
  }
  void enter(ProcessWorld& world) { world_ = &world; }
  void leave() { world_ = nullptr; }

 private:
  ProcessWorld* world_ = nullptr;
};

Presence& presence() {
  static thread_local Presence here;
  return here;
}

}  // namespace

Departure::Departure(ProcessWorld& world) : world_(world) { presence().enter(world); }

Departure::~Departure() {
  presence().leave();
  if (!ended_) end_process(world_, "its thread has ended inside of its body");
}

}  // namespace ranklint::runtime
