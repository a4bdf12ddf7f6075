#include "app/git/process.h"

#include <sys/wait.h>

#include <cerrno>

namespace ranklint::app {

std::optional<pid_t> start_git(const std::string& folder, const std::vector<std::string>& arguments,
                               const posix_spawn_file_actions_t& files, char* const* environment) {
  std::vector<std::string> words{"git", "-C", folder};
  words.insert(words.end(), arguments.begin(), arguments.end());
  std::vector<char*> argv;
  for (std::string& word : words) argv.push_back(word.data());
  argv.push_back(nullptr);
  pid_t child = 0;
  if (::posix_spawnp(&child, "git", &files, nullptr, argv.data(), environment) != 0) return std::nullopt;
  return child;
}

std::optional<int> exit_status_of(pid_t child) {
  int status = 0;
  while (::waitpid(child, &status, 0) < 0)
    if (errno != EINTR) return std::nullopt;
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

}  // namespace ranklint::app
