// Threads inside one rank.
#pragma once

#include <cstdint>
#include <functional>

namespace ranklint::runtime {

// Calls body(worker, i) for every i in [0, count), on up to `threads` threads; worker < threads numbers the thread. Which
// worker gets an i varies, so results must not depend on it. The body must not throw.
void parallel_for(int threads, int64_t count, const std::function<void(int worker, int64_t i)>& body);

}  // namespace ranklint::runtime
