// What a process does to itself to have no thread left but these. Not under a sanitizer, whose own memory leaves no
// room.
#pragma once

#include <cstddef>

#if defined(__GLIBC__) && !defined(RANKLINT_SANITIZED)
#define RANKLINT_CAN_LIMIT_THREADS

#include <pthread.h>
#include <sys/resource.h>
#include <unistd.h>

#include <fstream>

namespace ranklint::test {

// From here on this process has room for so many more threads: their stacks are large, and its memory is not.
inline void leave_room_for_threads(size_t count) {
  constexpr size_t kStackBytes = size_t{64} << 20;
  pthread_attr_t large;
  pthread_attr_init(&large);
  pthread_attr_setstacksize(&large, kStackBytes);
  pthread_setattr_default_np(&large);
  size_t pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  const rlim_t limit = pages * static_cast<size_t>(sysconf(_SC_PAGESIZE)) + count * kStackBytes + kStackBytes / 2;
  const rlimit room{.rlim_cur = limit, .rlim_max = limit};
  setrlimit(RLIMIT_AS, &room);
}

}  // namespace ranklint::test

#endif
