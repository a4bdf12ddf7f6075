#include "app/files/write.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <filesystem>

namespace ranklint::app {

namespace {

bool write_all(int file, std::string_view bytes) {
  while (!bytes.empty()) {
    const ssize_t count = ::write(file, bytes.data(), bytes.size());
    if (count < 0 && errno == EINTR) continue;
    if (count <= 0) return false;
    bytes.remove_prefix(static_cast<size_t>(count));
  }
  return true;
}

mode_t mode_for(const std::string& path) {
  struct stat old {};
  if (::stat(path.c_str(), &old) == 0) return old.st_mode & 07777U;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

Error failure(const std::string& shown) {
  return Error{.message = std::string("can not be written: ") + std::strerror(errno), .path = shown};
}

}  // namespace

std::optional<Error> replace_file(const std::string& absolute, const std::string& shown, std::string_view bytes) {
  std::error_code none;
  const std::filesystem::path real = std::filesystem::weakly_canonical(absolute, none);
  const std::string target = none ? absolute : real.string();
  std::string scratch = target + ".ranklint-XXXXXX";
  const int file = ::mkstemp(scratch.data());
  if (file < 0) return failure(shown);
  const bool written = write_all(file, bytes) && ::fchmod(file, mode_for(target)) == 0;
  const bool closed = ::close(file) == 0;
  if (written && closed && ::rename(scratch.c_str(), target.c_str()) == 0) return std::nullopt;
  const Error error = failure(shown);
  ::unlink(scratch.c_str());
  return error;
}

}  // namespace ranklint::app
