// A verdict waits for a rank that hardly gets to a processor: what counts is the time that it has had itself.
#if defined(__linux__)
#include <sched.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <atomic>
#include <ctime>
#include <thread>

#include "tests/runtime_group/support.h"

namespace ranklint::runtime::test {

namespace {

void move_to(int processor) {
  cpu_set_t only;
  CPU_ZERO(&only);
  CPU_SET(processor, &only);
  sched_setaffinity(0, sizeof only, &only);
}

void be_unimportant() { setpriority(PRIO_PROCESS, static_cast<id_t>(syscall(SYS_gettid)), 19); }

std::chrono::nanoseconds time_on_processor() {
  timespec ran{};
  clock_gettime(CLOCK_THREAD_CPUTIME_ID, &ran);
  return std::chrono::seconds(ran.tv_sec) + std::chrono::nanoseconds(ran.tv_nsec);
}

}  // namespace

TEST_CASE("a verdict has the place of a rank that came late because others had its processor") {
  const int shared = sched_getcpu();
  std::atomic<bool> is_there{false};
  const auto busy = [&] {
    move_to(shared);
    while (!is_there) {
    }
  };
  const std::jthread first(busy), second(busy);
  const WorldReport report = run_world(3,
                                       [&](RankContext& rank) {
                                         const Tensor one = floats({0});
                                         if (rank.rank() != 0) {
                                           rank.world().recv(one, 3 - rank.rank());  // from each other: neither sends
                                           return;
                                         }
                                         move_to(shared);
                                         be_unimportant();
                                         const auto begin = time_on_processor();
                                         while (time_on_processor() - begin < std::chrono::milliseconds(3)) {
                                         }
                                         is_there = true;
                                         rank.world().recv(one, 1);
                                       },
                                       {.settle = std::chrono::milliseconds(30)});
  REQUIRE(report.verdict.ranks.size() == 3);
  CHECK(report.verdict.ranks[0].phase == RankPhase::Waiting);
}

}  // namespace ranklint::runtime::test
#endif
