// Threads inside one rank.
#pragma once

#include <cstdint>
#include <functional>
#include <span>

#include "runtime/attention/helpers.h"

namespace ranklint::runtime {

// How many threads carry out steps of at most `count` indices each, of `threads` that there may be.
int workers_for(int threads, int64_t count);

// body(worker, i) for every i in [0, count). Which worker gets an i varies, so results must not depend on it. The body
// must not throw.
struct ParallelStep {
  int64_t count = 0;
  std::function<void(int worker, int64_t i)> body;
};

// Carries out the steps on up to `threads` threads; worker < threads numbers the thread. A step begins when all of the
// one before it is done. The others than this one are `kept`, or started and ended by this call.
//
// Each worker begins with a stretch of the indices of its own, in ascending order, and when it is through takes what is
// left of the others'. So steps that number one thing alike (heads) find in their cores' caches what the step before
// left there.
void parallel_steps(int threads, std::span<const ParallelStep> steps, Helpers* kept = nullptr);

void parallel_for(int threads, int64_t count, const std::function<void(int worker, int64_t i)>& body,
                  Helpers* kept = nullptr);

}  // namespace ranklint::runtime
