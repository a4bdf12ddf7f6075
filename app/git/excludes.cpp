#include "app/git/excludes.h"

#include <fcntl.h>
#include <unistd.h>

#include <array>
#include <cerrno>

#include "app/files/paths.h"
#include "app/files/repository.h"
#include "app/git/process.h"

extern char** environ;

namespace ranklint::app {

namespace {

std::string all_of(int fd) {
  std::string text;
  std::array<char, 4096> buffer{};
  for (;;) {
    const ssize_t n = ::read(fd, buffer.data(), buffer.size());
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return text;
    text.append(buffer.data(), static_cast<size_t>(n));
  }
}

// What git prints of its configuration, without the line's end; empty: nothing, or there is no git.
std::string configured(const std::string& folder, const std::string& key) {
  std::array<int, 2> ends{};
  if (::pipe2(ends.data(), O_CLOEXEC) != 0) return "";
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, 0, "/dev/null", O_RDONLY, 0);
  posix_spawn_file_actions_adddup2(&files, ends[1], 1);
  posix_spawn_file_actions_addopen(&files, 2, "/dev/null", O_WRONLY, 0);
  const std::optional<pid_t> child = start_git(folder, {"config", "--type=path", key}, files, environ);
  posix_spawn_file_actions_destroy(&files);
  ::close(ends[1]);
  std::string text = child ? all_of(ends[0]) : "";
  ::close(ends[0]);
  if (child) exit_status_of(*child);
  while (text.ends_with('\n')) text.pop_back();
  return text;
}

}  // namespace

std::string git_excludes_file(const std::string& folder,
                              const std::function<std::optional<std::string>(const std::string&)>& environment) {
  const std::string top = repository_around(folder);
  if (top.empty()) return "";
  if (const std::string file = configured(top, "core.excludesFile"); !file.empty()) return absolute_path(file, top);
  if (const std::string config = environment("XDG_CONFIG_HOME").value_or(""); !config.empty())
    return absolute_path("git/ignore", config);
  const std::string home = environment("HOME").value_or("");
  return home.empty() ? "" : absolute_path(".config/git/ignore", home);
}

}  // namespace ranklint::app
