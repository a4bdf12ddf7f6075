// Runs git in a child process.
#pragma once

#include <spawn.h>
#include <sys/types.h>

#include <optional>
#include <string>
#include <vector>

namespace ranklint::app {

// Starts `git -C folder arguments...` with this environment; `files` says what it reads and writes. Nothing: it cannot
// be run.
std::optional<pid_t> start_git(const std::string& folder, const std::vector<std::string>& arguments,
                               const posix_spawn_file_actions_t& files, char* const* environment);

// Waits for its end. Nothing: it was lost; -1: a signal ended it.
std::optional<int> exit_status_of(pid_t child);

}  // namespace ranklint::app
