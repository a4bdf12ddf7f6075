// A broken invariant is our bug: stop with a message that says which one and where.
#pragma once

#include <cstdio>
#include <cstdlib>

#define RANKLINT_CHECK(condition, message)                                                        \
  do {                                                                                            \
    if (!(condition)) {                                                                           \
      std::fprintf(stderr, "%s:%d: ranklint bug: %s (%s)\n", __FILE__, __LINE__, message, #condition); \
      std::abort();                                                                               \
    }                                                                                             \
  } while (false)
