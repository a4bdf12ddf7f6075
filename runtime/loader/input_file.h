// A file that is read at any place, through a mapping or by pread; every failure is a value that names the file.
//
// Mmap moves each byte once and is the faster one, above all for parts of rows. What makes a mapping dangerous is that
// a file which shrinks, or a disk that fails, shows as a signal in the middle of a memcpy. So pages are asked for
// before they are touched (MADV_POPULATE_READ, Linux 5.14), block by block: the kernel then answers with an error
// instead, and what remains is the moment between that answer and the copy. Where the kernel has no such call, and
// where that moment is too much, there is Pread, which copies through the kernel and knows no signal.
#pragma once

#include <sys/types.h>

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>

#include "runtime/base/error.h"
#include "runtime/loader/descriptor.h"

namespace ranklint::runtime {

enum class ReadMode : uint8_t { Mmap, Pread };

struct ReadOptions {
  ReadMode mode = ReadMode::Mmap;
  // Stands for pread(2), so that tests can make a disk fail. Empty: the real one.
  std::function<ssize_t(int fd, void* out, size_t size, off_t offset)> pread = {};
};

class InputFile {
 public:
  // A regular file (or a link to one); never waits, as opening a FIFO would.
  static Result<InputFile> open(const std::string& path, const ReadOptions& options = {});

  const std::string& path() const { return path_; }
  uint64_t size_bytes() const { return identity_.size; }

  // Fills `out` from `offset` on; an error when the file ends before.
  Status read(uint64_t offset, std::span<std::byte> out) const;
  // By pread whatever the mode is: for the few bytes of a header.
  Status read_small(uint64_t offset, std::span<std::byte> out) const;

  // Bytes in memory, valid as long as this file; null when it is not mapped. Touching them is safe only after
  // `prepare`.
  const std::byte* mapped() const { return static_cast<const std::byte*>(mapping_.get()); }
  Status prepare(uint64_t offset, uint64_t size) const;

  // Still what was opened: same size, not written to since.
  Status check_unchanged() const;

 private:
  struct Identity {
    uint64_t device = 0, inode = 0, size = 0;
    int64_t modified_seconds = 0, modified_nanoseconds = 0;
    bool operator==(const Identity&) const = default;
  };

  Status look(Identity& identity) const;
  void map();

  std::string path_;
  ReadOptions options_;
  Descriptor descriptor_;
  Identity identity_;
  std::shared_ptr<void> mapping_;
};

}  // namespace ranklint::runtime
