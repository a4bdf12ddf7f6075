#include "app/files/write.h"

#include <fcntl.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <filesystem>
#include <system_error>

#include "app/files/paths.h"

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
  struct stat old{};
  if (::stat(path.c_str(), &old) == 0) return old.st_mode & 07777U;
  const mode_t mask = ::umask(0);
  ::umask(mask);
  return 0666U & ~mask;
}

Error failure(const std::string& shown) {
  return Error{.message = "can not be written: " + reason_of({errno, std::generic_category()}), .path = shown};
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
  Error error = failure(shown);
  ::unlink(scratch.c_str());
  return error;
}

std::optional<Error> write_output(const std::string& absolute, const std::string& shown, std::string_view bytes) {
  std::error_code none;
  const std::filesystem::file_status old = std::filesystem::status(absolute, none);
  if (!std::filesystem::exists(old) || std::filesystem::is_regular_file(old))
    return replace_file(absolute, shown, bytes);
  const int file = ::open(absolute.c_str(), O_WRONLY | O_CLOEXEC);
  if (file < 0) return failure(shown);
  const bool written = write_all(file, bytes);
  Error error = failure(shown);
  const bool closed = ::close(file) == 0;
  return written && closed ? std::nullopt : std::optional(error);
}

}  // namespace ranklint::app
