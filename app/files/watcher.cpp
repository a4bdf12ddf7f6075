#include "app/files/watcher.h"

#include <poll.h>
#include <sys/inotify.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <cstring>
#include <optional>
#include <utility>

namespace ranklint::app {

namespace {

constexpr uint32_t kEvents =
    IN_CLOSE_WRITE | IN_CREATE | IN_DELETE | IN_MOVED_FROM | IN_MOVED_TO | IN_ATTRIB | IN_ONLYDIR;

enum class Woken { ByChange, ByStop, ByTime };

Woken wait_for(int changes, int stop, int milliseconds) {
  std::array<pollfd, 2> both{{{changes, POLLIN, 0}, {stop, POLLIN, 0}}};  // poll passes over a negative one
  for (;;) {
    const int count = ::poll(both.data(), both.size(), milliseconds);
    if (count < 0 && errno == EINTR) continue;
    if (count == 0) return Woken::ByTime;
    return count < 0 || both[1].revents != 0 ? Woken::ByStop : Woken::ByChange;
  }
}

}  // namespace

Result<Watcher> Watcher::open() {
  const int fd = ::inotify_init1(IN_NONBLOCK | IN_CLOEXEC);
  if (fd < 0) return Error{.message = std::string("changes can not be watched: ") + std::strerror(errno), .path = {}};
  return Watcher(fd);
}

Watcher::Watcher(Watcher&& other) noexcept : fd_(std::exchange(other.fd_, -1)), folders_(std::move(other.folders_)) {}

Watcher::~Watcher() {
  if (fd_ >= 0) ::close(fd_);
}

std::optional<Error> Watcher::watch(const std::set<std::string>& folders) {
  std::map<int, std::string> now;
  for (const std::string& folder : folders) {
    const int number = ::inotify_add_watch(fd_, folder.empty() ? "/" : folder.c_str(), kEvents);
    if (number >= 0)
      now.emplace(number, folder);
    else if (errno == ENOSPC)
      return Error{.message = "the system watches no more folders than " + std::to_string(now.size()) +
                              "; raise fs.inotify.max_user_watches, or name fewer paths",
                   .path = {}};
  }
  for (const auto& [number, folder] : folders_)
    if (!now.contains(number)) ::inotify_rm_watch(fd_, number);
  folders_ = std::move(now);
  return std::nullopt;
}

// Whether one of the events that are there matters.
bool Watcher::read_events(const Matters& matters) const {
  alignas(inotify_event) std::array<char, 16384> bytes;
  bool found = false;
  for (;;) {
    const ssize_t count = ::read(fd_, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return found;
    for (ssize_t at = 0; at < count;) {
      inotify_event event;
      std::memcpy(&event, bytes.data() + at, sizeof event);
      const std::string_view name = event.len == 0 ? "" : std::string_view(bytes.data() + at + sizeof event);
      const auto folder = folders_.find(event.wd);
      found =
          found || (event.mask & IN_Q_OVERFLOW) != 0 ||
          (folder != folders_.end() && !name.empty() && matters(folder->second, name, (event.mask & IN_ISDIR) != 0));
      at += static_cast<ssize_t>(sizeof event + event.len);
    }
  }
}

bool Watcher::wait(const Matters& matters, std::chrono::milliseconds quiet, int stop) const {
  bool changed = false;
  for (;;) {
    switch (wait_for(fd_, stop, changed ? static_cast<int>(quiet.count()) : -1)) {
      case Woken::ByStop: return false;
      case Woken::ByTime: return true;
      case Woken::ByChange: changed = read_events(matters) || changed;
    }
  }
}

}  // namespace ranklint::app
