// A broken invariant is our bug: stop with a message that says which one and where.
#pragma once

#include <cstdio>
#include <cstdlib>

namespace ranklint {

// Apart, so that a check costs its place no more than a comparison and a jump that is never taken.
[[noreturn, gnu::cold, gnu::noinline]] inline void check_failed(const char* file, int line, const char* message,
                                                                const char* condition) {
  std::fprintf(stderr, "%s:%d: ranklint bug: %s (%s)\n", file, line, message, condition);
  std::abort();
}

}  // namespace ranklint

#define RANKLINT_CHECK(condition, message)                                           \
  do {                                                                               \
    if (!(condition)) ::ranklint::check_failed(__FILE__, __LINE__, message, #condition); \
  } while (false)
