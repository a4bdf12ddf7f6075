// A broken invariant is our bug. Inside a containment (analyzer/base/contain.h) it ends the piece of work that met it;
// outside of any it stops the program with a message that says which one and where.
#pragma once

namespace ranklint {

// Apart, so that a check costs its place no more than a comparison and a jump that is never taken.
[[noreturn, gnu::cold, gnu::noinline]] void check_failed(const char* file, int line, const char* message,
                                                         const char* condition);

}  // namespace ranklint

#define RANKLINT_CHECK(condition, message)                                               \
  do {                                                                                   \
    if (!(condition)) ::ranklint::check_failed(__FILE__, __LINE__, message, #condition); \
  } while (false)
