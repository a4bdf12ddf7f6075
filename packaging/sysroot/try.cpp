// What a program gets from a sysroot, run on an older C library than the one its headers are of: constructors, what
// later.c stands in for (an unwinder's table, a wait on the monotonic clock, random numbers), and what is linked in
// from libpthread.
#include <chrono>
#include <condition_variable>
#include <iostream>
#include <memory>
#include <mutex>
#include <random>
#include <stdexcept>
#include <thread>

namespace {

using Clock = std::chrono::steady_clock;

bool constructed = false;
struct Constructed {
  Constructed() { constructed = true; }
} at_start;

bool catches_on_a_thread() {
  bool caught = false;
  auto shared = std::make_shared<int>(3);
  std::thread thread([&caught, shared] {
    try {
      throw std::runtime_error("thrown");
    } catch (const std::exception&) {
      caught = *shared == 3;
    }
  });
  thread.join();
  return caught && shared.use_count() == 1;
}

bool waits_until() {
  std::mutex mutex;
  std::condition_variable never;
  std::unique_lock lock(mutex);
  const Clock::time_point start = Clock::now();
  const bool timed_out = !never.wait_until(lock, start + std::chrono::milliseconds(200), [] { return false; });
  const Clock::duration waited = Clock::now() - start;
  return timed_out && waited >= std::chrono::milliseconds(200) && waited < std::chrono::seconds(10);
}

bool draws_random_numbers() {
  std::random_device device;
  return device() != device() || device() != device();  // each pair alike: once in 2^64
}

}  // namespace

int main() {
  const bool ok = constructed && catches_on_a_thread() && waits_until() && draws_random_numbers();
  std::cout << (ok ? "ok" : "failed") << '\n';
  return ok ? 0 : 1;
}
