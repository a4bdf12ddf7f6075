#include "runtime/group/watch/own_time.h"

#include <catch2/catch.hpp>

#include <atomic>
#include <optional>
#include <thread>

using ranklint::runtime::OwnTime;

namespace {

// A thread that repeats `round` until it is stopped, watched until 20 ms of its own time have passed.
template <typename Round>
bool passes_time(Round round) {
  std::optional<OwnTime> time;
  std::atomic<bool> begun{false}, stop{false};
  std::jthread somebody([&] {
    time.emplace();
    begun = true;
    while (!stop) round();
  });
  while (!begun) std::this_thread::yield();
  for (int looks = 0; looks < 60'000 && time->passed() < std::chrono::milliseconds(20); ++looks) {
    std::this_thread::sleep_for(std::chrono::milliseconds(1));
    time->look();
  }
  stop = true;
  return time->passed() >= std::chrono::milliseconds(20);
}

}  // namespace

TEST_CASE("own time passes for a thread that computes") {
  CHECK(passes_time([] {}));
}

TEST_CASE("own time passes for a thread that sleeps") {
  CHECK(passes_time([] { std::this_thread::sleep_for(std::chrono::milliseconds(200)); }));
}

TEST_CASE("own time begins anew when it is told to") {
  OwnTime time;
  while (time.passed() < std::chrono::milliseconds(2)) time.look();
  time.start_over();
  CHECK(time.passed() == std::chrono::milliseconds(0));
}

#if defined(__linux__)
TEST_CASE("time in which a thread neither ran nor was seen asleep does not count") {
  // As of one that waits for a processor: a thread that looks at itself is awake whenever it looks.
  OwnTime time;
  std::this_thread::sleep_for(std::chrono::milliseconds(200));
  time.look();
  CHECK(time.passed() < std::chrono::milliseconds(200));
}
#endif
