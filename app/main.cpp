#include <malloc.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <filesystem>
#include <iostream>
#include <iterator>

#include "app/check/last_word.h"
#include "app/cli/run.h"
#include "app/engine/engine.h"

namespace {

unsigned terminal_columns() {
  winsize size{};
  return ::ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 ? size.ws_col : 0;
}

}  // namespace

int main(int argc, char** argv) {
  // A block of this size is mapped by itself and goes back when it is freed, also when such have been freed before:
  // tables that grow would leave a hole each time.
  mallopt(M_MMAP_THRESHOLD, 1 << 20);
  const ranklint::app::LastWord last_word;
  std::ios::sync_with_stdio(false);
  std::error_code no_cwd;
  ranklint::app::Io io{
      .read_stdin = [] { return std::string(std::istreambuf_iterator<char>(std::cin), {}); },
      .out = std::cout,
      .err = std::cerr,
      .out_is_terminal = ::isatty(STDOUT_FILENO) == 1,
      .err_is_terminal = ::isatty(STDERR_FILENO) == 1,
      .columns = terminal_columns(),
      .environment =
          [](const std::string& name) {
            const char* value = std::getenv(name.c_str());
            return value == nullptr ? std::nullopt : std::optional<std::string>(value);
          },
      .cwd = std::filesystem::current_path(no_cwd).string(),
      .read_some =
          [](char* to, size_t most) {
            ssize_t count = 0;
            do count = ::read(STDIN_FILENO, to, most);
            while (count < 0 && errno == EINTR);
            return count < 0 ? size_t{0} : static_cast<size_t>(count);
          },
  };
  const int status = ranklint::app::run({argv + 1, argv + argc}, io, ranklint::app::real_engine());
  std::cout.flush();
  if (std::cout.good()) return status;
  std::cerr << "ranklint: standard output can not be written; the report is not whole\n";
  return ranklint::app::kFailure;  // a report that did not arrive is no result
}
