#include "runtime/mpi/last_words.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <chrono>
#include <cstdio>
#include <thread>

namespace ranklint::runtime {

// A pipe tells at either end what lies in it unread. Of what can not tell (a file, a terminal) nothing is awaited.
static bool holds_unread(int descriptor) {
  int unread = 0;
  return isatty(descriptor) == 0 && ioctl(descriptor, FIONREAD, &unread) == 0 && unread > 0;
}

void wait_until_read() {
  std::fflush(stdout);
  std::fflush(stderr);
  const auto deadline = std::chrono::steady_clock::now() + std::chrono::seconds(1);
  while ((holds_unread(STDOUT_FILENO) || holds_unread(STDERR_FILENO)) && std::chrono::steady_clock::now() < deadline)
    std::this_thread::sleep_for(std::chrono::microseconds(100));
}

}  // namespace ranklint::runtime
