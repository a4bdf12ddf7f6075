#include "app/git/scratch.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/file.h>
#include <unistd.h>

#include <chrono>
#include <filesystem>
#include <string_view>
#include <utility>
#include <vector>

#include "app/git/remove_on_signal.h"

namespace ranklint::app {

namespace fs = std::filesystem;

namespace {

constexpr std::string_view kScratchName = "ranklint-git-";

// The folder, open and locked; -1: another process has it, or it is gone.
int locked(const std::string& folder) {
  const int fd = ::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC);
  if (fd >= 0 && ::flock(fd, LOCK_EX | LOCK_NB) == 0) return fd;
  if (fd >= 0) ::close(fd);
  return -1;
}

// Takes away what runs left that were killed: their lock went with them. A young folder may not be locked yet.
void sweep(const fs::path& parent) {
  std::error_code error;
  std::vector<fs::path> left;
  for (fs::directory_iterator at(parent, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;
    const auto age = fs::file_time_type::clock::now() - at->last_write_time(gone);
    if (!gone && at->path().filename().string().starts_with(kScratchName) && age > std::chrono::minutes(1))
      left.push_back(at->path());
  }
  for (const fs::path& folder : left) {
    const int lock = locked(folder.string());
    if (lock < 0) continue;
    fs::remove_all(folder, error);
    ::close(lock);
  }
}

}  // namespace

ScratchFolder::ScratchFolder() {
  std::error_code none;
  const fs::path parent = fs::temp_directory_path(none);
  sweep(parent);
  std::string name = (parent / (std::string(kScratchName) + "XXXXXX")).string();
  const HeldSignals held;
  if (::mkdtemp(name.data()) == nullptr) return;
  path_ = fs::canonical(name, none).string();
  remove_on_signal(path_);
  lock_ = locked(path_);
}

ScratchFolder::ScratchFolder(ScratchFolder&& other) noexcept
    : path_(std::move(other.path_)), lock_(std::exchange(other.lock_, -1)) {
  other.path_.clear();
}

ScratchFolder::~ScratchFolder() {
  std::error_code ignored;
  if (!path_.empty()) {
    fs::remove_all(path_, ignored);
    keep_on_signal(path_);
  }
  if (lock_ >= 0) ::close(lock_);
}

}  // namespace ranklint::app
