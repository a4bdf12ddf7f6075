#include "runtime/group/jitter.h"

#include <chrono>
#include <thread>

namespace ranklint::runtime {

Jitter::Jitter(uint64_t seed, int rank)
    : on_(seed != 0), state_(seed * 0x9e3779b97f4a7c15ULL + static_cast<uint64_t>(rank)) {}

// splitmix64 (Steele, Lea, Flood, "Fast splittable pseudorandom number generators", 2014).
uint64_t Jitter::next() {
  uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
  z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
  z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
  return z ^ (z >> 31);
}

void Jitter::wait_at_random() {
  const uint64_t choice = next();
  if (choice % 4 == 1) std::this_thread::yield();
  if (choice % 16 == 2) std::this_thread::sleep_for(std::chrono::microseconds((choice >> 8) % 50));
}

}  // namespace ranklint::runtime
