// Ranks that stay: a world whose ranks do the same work each time they are asked to, and sleep in between.
#pragma once

#include <atomic>
#include <functional>
#include <thread>

#include "runtime/group/world.h"

namespace ranklint::bench {

class Crew {
 public:
  // What a rank repeats; made by each rank once.
  using Prepare = std::function<std::function<void()>(runtime::RankContext&)>;

  Crew(int ranks, Prepare prepare);
  ~Crew();
  Crew(const Crew&) = delete;
  Crew& operator=(const Crew&) = delete;

  // Returns when every rank has done its work once.
  void run_once();

 private:
  void serve(runtime::RankContext& context, const Prepare& prepare);
  void call(int round);

  int ranks_;
  std::atomic<int> round_{0};  // negative: go home
  std::atomic<int> done_{0};
  std::jthread world_;
};

}  // namespace ranklint::bench
