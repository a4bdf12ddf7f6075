#include "app/files/read.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <cerrno>
#include <cstring>
#include <system_error>

#include "app/files/paths.h"

namespace ranklint::app {

namespace {

struct Descriptor {
  int fd;
  explicit Descriptor(int opened) : fd(opened) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (fd >= 0) ::close(fd);
  }
};

Error system_error(const std::string& path) {
  return Error{.message = reason_of({errno, std::generic_category()}), .path = path};
}

}  // namespace

Result<std::string> read_file(const std::string& path, uint64_t largest_bytes) {
  // O_NONBLOCK: opening a pipe without a writer must not wait.
  const Descriptor file(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (file.fd < 0) return system_error(path);
  struct stat status{};
  if (::fstat(file.fd, &status) != 0) return system_error(path);
  if (!S_ISREG(status.st_mode))
    return Error{.message = S_ISDIR(status.st_mode) ? "is a folder" : "not a regular file", .path = path};
  const auto too_large = [&] {
    return Error{.message = "larger than " + std::to_string(largest_bytes >> 20) + " MiB", .path = path};
  };
  if (static_cast<uint64_t>(status.st_size) > largest_bytes) return too_large();

  std::string bytes;
  bytes.resize(static_cast<size_t>(status.st_size) + 1);  // one more, to see the end in the same call
  size_t filled = 0;
  while (true) {
    const ssize_t got = ::read(file.fd, bytes.data() + filled, bytes.size() - filled);
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error(path);
    filled += static_cast<size_t>(got);
    if (filled > largest_bytes) return too_large();  // it grows while we read
    if (filled < bytes.size()) break;                // of a regular file less than asked for comes at its end alone
    bytes.resize(bytes.size() * 2);
  }
  bytes.resize(filled);
  return bytes;
}

}  // namespace ranklint::app
