#include "runtime/loader/input_file.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>

#include <algorithm>
#include <cerrno>
#include <cstring>

#include "runtime/loader/text.h"

// Debian 12's glibc has it; older headers do not, the kernel answers EINVAL where it does not know it.
#ifndef MADV_POPULATE_READ
#define MADV_POPULATE_READ 22
#endif

namespace ranklint::runtime {

// Large enough that a system call is lost among the copies, small enough to still be in cache when they begin.
static constexpr uint64_t kBlockBytes = 4u << 20;

static uint64_t page_bytes() { return static_cast<uint64_t>(::sysconf(_SC_PAGESIZE)); }

Result<InputFile> InputFile::open(const std::string& path, const ReadOptions& options) {
  InputFile file;
  file.path_ = path;
  file.options_ = options;
  if (!file.options_.pread) file.options_.pread = ::pread;
  file.descriptor_ = Descriptor(::open(path.c_str(), O_RDONLY | O_CLOEXEC | O_NONBLOCK));
  if (!file.descriptor_) return system_error(path, "open", errno);
  if (Status status = file.look(file.identity_); !status) return status.error();
  if (options.mode == ReadMode::Mmap) file.map();
  return file;
}

Status InputFile::look(Identity& identity) const {
  struct stat now{};
  if (::fstat(descriptor_.get(), &now) != 0) return system_error(path_, "stat", errno);
  if (!S_ISREG(now.st_mode)) return file_error(ErrorKind::Io, path_, "is not a regular file");
  identity = {now.st_dev, now.st_ino, static_cast<uint64_t>(now.st_size), now.st_mtim.tv_sec, now.st_mtim.tv_nsec};
  return ok();
}

Status InputFile::check_unchanged() const {
  Identity now;
  if (Status status = look(now); !status) return status;
  if (now == identity_) return ok();
  return file_error(ErrorKind::Io, path_,
                    "has changed while it was read (" + std::to_string(identity_.size) + " bytes before, " +
                        std::to_string(now.size) + " now)");
}

// A file system that can not map leaves the file unmapped: it is then read by pread.
void InputFile::map() {
  const size_t size = identity_.size;
  if (size == 0) return;
  void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, descriptor_.get(), 0);
  if (memory == MAP_FAILED) return;
  mapping_ = std::shared_ptr<void>(memory, [size](void* mapped) { ::munmap(mapped, size); });
  if (::madvise(memory, std::min<size_t>(size, 1), MADV_POPULATE_READ) != 0 && errno == EINVAL) mapping_.reset();
}

Status InputFile::prepare(uint64_t offset, uint64_t size) const {
  const uint64_t first = offset / page_bytes() * page_bytes();
  auto* memory = static_cast<std::byte*>(mapping_.get()) + first;
  while (::madvise(memory, offset + size - first, MADV_POPULATE_READ) != 0) {
    if (errno == EINTR || errno == EAGAIN) continue;
    const int code = errno == EFAULT || errno == EHWPOISON ? EIO : errno;
    return system_error(path_, "read " + std::to_string(size) + " bytes at " + std::to_string(offset), code);
  }
  return ok();
}

Status InputFile::read(uint64_t offset, std::span<std::byte> out) const {
  if (!mapped()) return read_small(offset, out);
  if (offset > size_bytes() || out.size() > size_bytes() - offset)
    return file_error(ErrorKind::Format, path_, "ends before byte " + std::to_string(offset + out.size()));
  for (size_t done = 0; done < out.size();) {
    const size_t size = std::min<size_t>(kBlockBytes, out.size() - done);
    if (Status status = prepare(offset + done, size); !status) return status;
    std::memcpy(out.data() + done, mapped() + offset + done, size);
    done += size;
  }
  return ok();
}

Status InputFile::read_small(uint64_t offset, std::span<std::byte> out) const {
  for (size_t done = 0; done < out.size();) {
    const ssize_t got =
        options_.pread(descriptor_.get(), out.data() + done, std::min<size_t>(kBlockBytes, out.size() - done),
                       static_cast<off_t>(offset + done));
    if (got < 0 && errno == EINTR) continue;
    if (got < 0) return system_error(path_, "read at byte " + std::to_string(offset + done), errno);
    if (got == 0)
      return file_error(
          ErrorKind::Format, path_,
          "ends at byte " + std::to_string(offset + done) + ", before byte " + std::to_string(offset + out.size()));
    done += static_cast<size_t>(got);
  }
  return ok();
}

}  // namespace ranklint::runtime
