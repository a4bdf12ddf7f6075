#include <sys/wait.h>
#include <unistd.h>
#include <catch2/catch.hpp>

#include <atomic>
#include <set>
#include <thread>
#include <vector>

#include "runtime/attention/parallel.h"
#include "tests/runtime_attention/attention_support.h"
#include "tests/runtime_base/few_threads.h"

namespace ranklint::test {

namespace {

// How often each index was taken.
class Counts {
 public:
  explicit Counts(int64_t count) : counts_(static_cast<size_t>(count)) {}
  void take(int64_t i) { counts_[static_cast<size_t>(i)].fetch_add(1); }
  bool each_is(int count) const {
    for (const std::atomic<int>& each : counts_)
      if (each != count) return false;
    return true;
  }

 private:
  std::vector<std::atomic<int>> counts_;
};

}  // namespace

TEST_CASE("every index of every step is taken once, in the order of the steps, whoever helps") {
  rt::Helpers kept;
  for (rt::Helpers* helpers : {static_cast<rt::Helpers*>(nullptr), &kept})
    for (int threads : {1, 2, 5})
      for (int round = 0; round < 50; ++round) {
        Counts first(40), second(3);
        std::atomic<bool> in_order{true};
        const std::vector<rt::ParallelStep> steps = {{40,
                                                      [&](int worker, int64_t i) {
                                                        first.take(i);
                                                        in_order = in_order && worker < threads;
                                                      }},
                                                     {3, [&](int, int64_t i) {
                                                        second.take(i);
                                                        in_order = in_order && first.each_is(1);
                                                      }}};
        rt::parallel_steps(threads, steps, helpers);
        REQUIRE((first.each_is(1) && second.each_is(1) && in_order));
      }
}

TEST_CASE("helpers serve several threads at a time") {
  rt::Helpers helpers;
  Counts counts(30);
  {
    std::vector<std::jthread> callers;
    for (int caller = 0; caller < 3; ++caller)
      callers.emplace_back([&] {
        for (int round = 0; round < 40; ++round)
          rt::parallel_for(3, 30, [&](int, int64_t i) { counts.take(i); }, &helpers);
      });
  }
  CHECK(counts.each_is(3 * 40));
}

TEST_CASE("a kept thread helps again") {
  rt::Helpers helpers;
  std::set<std::thread::id> threads;
  for (int round = 0; round < 20; ++round) {
    std::atomic<bool> began{false};
    std::thread::id other;
    helpers.run(1, [&](int worker) {
      if (worker == 1) {
        other = std::this_thread::get_id();
        began = true;
      } else {
        while (!began) std::this_thread::yield();
      }
    });
    threads.insert(other);
  }
  CHECK(threads.size() == 1);
  CHECK(threads.count(std::this_thread::get_id()) == 0);
}

#if defined(RANKLINT_CAN_LIMIT_THREADS)

TEST_CASE("where the system has fewer threads left, those there are do all") {
  const pid_t child = fork();
  if (child == 0) {
    alarm(20);
    leave_room_for_threads(1);
    rt::Helpers helpers;
    Counts counts(30);
    for (int round = 0; round < 20; ++round) rt::parallel_for(4, 30, [&](int, int64_t i) { counts.take(i); }, &helpers);
    _exit(counts.each_is(20) ? 0 : 1);
  }
  int status = 0;
  REQUIRE(waitpid(child, &status, 0) == child);
  INFO("status " << status);
  CHECK((WIFEXITED(status) && WEXITSTATUS(status) == 0));
}

#endif

}  // namespace ranklint::test
