// The world as a command sees it. Tests make their own.
#pragma once

#include <functional>
#include <optional>
#include <ostream>
#include <string>

#include "analyzer/base/result.h"

namespace ranklint::app {

// Exit statuses.
inline constexpr int kClean = 0;
inline constexpr int kFindings = 1;
inline constexpr int kFailure = 2;  // wrong usage, or an error of the tool

struct Io {
  std::function<std::string()> read_stdin;
  std::ostream& out;
  std::ostream& err;
  bool out_is_terminal = false;
  bool err_is_terminal = false;
  unsigned columns = 0;  // of the terminal; 0 when it is not known
  std::function<std::optional<std::string>(const std::string& name)> environment;
  std::string cwd;  // absolute
  // Waits for bytes of standard input and gives up to `most` of them; 0: the end. For commands that answer as they
  // read.
  std::function<size_t(char* to, size_t most)> read_some = {};
  int stop_fd = -1;  // ends a command that waits when it becomes readable; -1: only the user does
};

// Says what is wrong, as "ranklint: path:line:column: message", and returns the exit status for it.
int fail(Io& io, const Error& error);
int fail(Io& io, const std::string& message);

}  // namespace ranklint::app
