#include "runtime/group/watch/own_time.h"

#if defined(__linux__)
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <fstream>
#endif

namespace ranklint::runtime {

#if defined(__linux__)

namespace {

// The letter after the name, which is in parentheses and may hold anything (proc(5), /proc/pid/stat).
bool is_asleep(const std::string& status_path) {
  std::ifstream file(status_path);
  std::string line;
  std::getline(file, line);
  const size_t name_end = line.rfind(") ");
  if (name_end == std::string::npos) return false;
  const char state = line[name_end + 2];
  return state == 'S' || state == 'D';
}

}  // namespace

OwnTime::OwnTime() : status_path_("/proc/self/task/" + std::to_string(syscall(SYS_gettid)) + "/stat") {
  pthread_getcpuclockid(pthread_self(), &clock_);
  last_ = see();
}

OwnTime::Sight OwnTime::see() const {
  timespec ran{};
  clock_gettime(clock_, &ran);
  return {.at = std::chrono::steady_clock::now(),
          .ran = std::chrono::seconds(ran.tv_sec) + std::chrono::nanoseconds(ran.tv_nsec),
          .asleep = is_asleep(status_path_)};
}

void OwnTime::look() {
  const Sight now = see();
  const bool slept = last_.asleep && now.asleep && now.ran == last_.ran;
  passed_ += slept ? now.at - last_.at : now.ran - last_.ran;
  last_ = now;
}

#else

OwnTime::OwnTime() : last_(see()) {}

OwnTime::Sight OwnTime::see() const { return {.at = std::chrono::steady_clock::now()}; }

void OwnTime::look() {
  const Sight now = see();
  passed_ += now.at - last_.at;
  last_ = now;
}

#endif

}  // namespace ranklint::runtime
