#include "bench/attention/crew.h"

#include <utility>

namespace ranklint::bench {

Crew::Crew(int ranks, Prepare prepare) : ranks_(ranks) {
  world_ = std::jthread([this, ranks, prepare = std::move(prepare)] {
    runtime::run_world(ranks, [&](runtime::RankContext& context) { serve(context, prepare); });
  });
}

Crew::~Crew() { call(-1); }

void Crew::serve(runtime::RankContext& context, const Prepare& prepare) {
  const std::function<void()> work = prepare(context);
  for (int round = 0;;) {
    round_.wait(round);
    round = round_.load();
    if (round < 0) return;
    work();
    if (done_.fetch_add(1) + 1 == ranks_) done_.notify_all();
  }
}

void Crew::call(int round) {
  done_.store(0);
  round_.store(round);
  round_.notify_all();
}

void Crew::run_once() {
  call(round_.load() + 1);
  for (int done = 0; (done = done_.load()) < ranks_;) done_.wait(done);
}

}  // namespace ranklint::bench
