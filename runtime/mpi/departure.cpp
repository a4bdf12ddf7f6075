#include "runtime/mpi/departure.h"

#include <cstdio>
#include <cstdlib>

#include "runtime/mpi/session.h"

namespace ranklint::runtime {

namespace {

// std::exit ends the objects of its thread first, before anything that the world needs; the body's frames still stand.
class Presence {
 public:
  ~Presence() {
    if (!world_) return;
    const WorldReport report = world_->end(Error{.kind = ErrorKind::Body, .message = "its process has ended inside of its body"});
    if (world_->rank() == 0) std::printf("%s\n", report.verdict.to_json().c_str());
    MpiSession::finalize();
    std::_Exit(1);
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

Departure::Departure(ProcessWorld& world) { presence().enter(world); }
Departure::~Departure() { presence().leave(); }

}  // namespace ranklint::runtime
