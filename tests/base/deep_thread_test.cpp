#include <catch2/catch.hpp>

#include <atomic>
#include <stdexcept>
#include <vector>

#include "analyzer/base/deep_thread.h"

namespace ranklint {
namespace {

constexpr size_t kStack = size_t{64} << 20;

// How far down the stack goes: no less than `bytes` of it are used.
[[gnu::noinline]] size_t use_stack(size_t bytes) {
  volatile char room[16 << 10] = {};
  room[0] = 1;
  return bytes <= sizeof room ? sizeof room : use_stack(bytes - sizeof room) + static_cast<size_t>(room[0]);
}

}  // namespace

TEST_CASE("a deep thread has the stack that it was asked for") {
  size_t used = 0;
  DeepThread thread(kStack, [&] { used = use_stack(kStack / 2); });
  REQUIRE(thread.started());
  thread.join();
  CHECK(used > 0);
}

TEST_CASE("what is thrown on a deep thread is thrown where it is joined") {
  DeepThread thread(kStack, [] { throw std::runtime_error("lost"); });
  CHECK_THROWS_WITH(thread.join(), "lost");
}

TEST_CASE("each task that is shared runs once, on however many threads") {
  for (const unsigned threads : {1u, 2u, 7u}) {
    std::vector<std::atomic<int>> runs(100);
    share_tasks(threads, kStack, runs.size(), [&](size_t i) { ++runs[i]; });
    for (const std::atomic<int>& count : runs) CHECK(count == 1);
  }
}

TEST_CASE("what a shared task throws comes to who shares, and no new task begins") {
  for (const unsigned threads : {1u, 3u}) {
    std::atomic<int> runs = 0;
    const auto task = [&](size_t) {
      ++runs;
      throw std::runtime_error("broken");
    };
    CHECK_THROWS_WITH(share_tasks(threads, kStack, 1000, task), "broken");
    CHECK(runs <= static_cast<int>(threads));
  }
}

}  // namespace ranklint
