// The handler runs wherever the program happens to be, perhaps within malloc. So it uses system calls only, and paths
// that were written down before. It runs on the thread that made the folder: on another one it hands the signal on.
#include "app/git/remove_on_signal.h"

#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <pthread.h>
#include <stdio.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <cstring>

namespace ranklint::app {

namespace {

constexpr std::array kSignals{SIGINT, SIGTERM, SIGHUP};
constexpr int kDeepest = 200;  // folders in each other
constexpr int kTries = 20;     // while a process that runs on still writes

struct Slot {
  std::atomic<bool> taken = false;
  char path[PATH_MAX] = {};
};

struct Folders {
  std::array<Slot, 8> slots;
  std::array<struct sigaction, kSignals.size()> before;  // of those that are handled here
  std::atomic<int> count = 0;
  pthread_t owner{};
};

Folders& folders() {
  static Folders all;
  return all;
}

struct Entry {  // what the system call writes, contiguously
  uint64_t inode;
  int64_t next;
  uint16_t size_bytes;
  uint8_t type;
  char name[1];
};

bool empty_folder(int folder, int depth);

bool remove_entry(int folder, const char* name, int depth) {
  if (::unlinkat(folder, name, 0) == 0) return true;
  const int inner = ::openat(folder, name, O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (inner < 0) return false;
  const bool emptied = depth < kDeepest && empty_folder(inner, depth + 1);
  ::close(inner);
  return emptied && ::unlinkat(folder, name, AT_REMOVEDIR) == 0;
}

bool empty_folder(int folder, int depth) {
  alignas(Entry) char buffer[4096];
  bool all = true;
  for (;;) {
    const long count = ::syscall(SYS_getdents64, folder, buffer, sizeof buffer);
    if (count <= 0) return all && count == 0;
    for (long at = 0; at < count;) {
      const Entry* entry = reinterpret_cast<const Entry*>(buffer + at);
      const char* name = buffer + at + offsetof(Entry, name);
      at += entry->size_bytes;
      if (std::strcmp(name, ".") != 0 && std::strcmp(name, "..") != 0) all &= remove_entry(folder, name, depth);
    }
  }
}

// Under another name first: a process that writes there by its path, as git does, finds nothing to write to any more.
void remove_folder(const char* path) {
  char gone[PATH_MAX + 8];
  const size_t length = ::strnlen(path, PATH_MAX);
  std::memcpy(gone, path, length);
  std::memcpy(gone + length, ".gone", 6);
  const char* now = ::rename(path, gone) == 0 ? gone : path;
  for (int i = 0; i < kTries && !remove_entry(AT_FDCWD, now, 0); ++i) {
  }
}

void on_signal(int signal) {
  Folders& all = folders();
  if (::pthread_equal(::pthread_self(), all.owner) == 0) {
    ::pthread_kill(all.owner, signal);
    return;
  }
  for (Slot& slot : all.slots)
    if (slot.taken.load()) remove_folder(slot.path);
  ::signal(signal, SIG_DFL);
  ::raise(signal);  // comes when the handler is left: nothing else does any more
}

sigset_t signals_as_set() {
  sigset_t set;
  ::sigemptyset(&set);
  for (const int signal : kSignals) ::sigaddset(&set, signal);
  return set;
}

void take_signals(Folders& all) {
  all.owner = ::pthread_self();
  for (size_t i = 0; i < kSignals.size(); ++i) {
    ::sigaction(kSignals[i], nullptr, &all.before[i]);
    if (all.before[i].sa_handler != SIG_DFL) continue;
    struct sigaction action = {};
    action.sa_handler = on_signal;
    action.sa_mask = signals_as_set();
    ::sigaction(kSignals[i], &action, nullptr);
  }
}

void give_signals_back(Folders& all) {
  for (size_t i = 0; i < kSignals.size(); ++i)
    if (all.before[i].sa_handler == SIG_DFL) ::sigaction(kSignals[i], &all.before[i], nullptr);
}

}  // namespace

HeldSignals::HeldSignals() {
  const sigset_t set = signals_as_set();
  ::pthread_sigmask(SIG_BLOCK, &set, &before_);
}

HeldSignals::~HeldSignals() { ::pthread_sigmask(SIG_SETMASK, &before_, nullptr); }

void remove_on_signal(const std::string& folder) {
  const HeldSignals held;
  Folders& all = folders();
  if (folder.size() >= PATH_MAX) return;
  for (Slot& slot : all.slots) {
    if (slot.taken.load()) continue;
    std::copy_n(folder.c_str(), folder.size() + 1, slot.path);
    if (all.count++ == 0) take_signals(all);
    slot.taken = true;
    return;
  }
}

void keep_on_signal(const std::string& folder) {
  const HeldSignals held;
  Folders& all = folders();
  for (Slot& slot : all.slots) {
    if (!slot.taken.load() || folder != slot.path) continue;
    slot.taken = false;
    if (--all.count == 0) give_signals_back(all);
    return;
  }
}

}  // namespace ranklint::app
