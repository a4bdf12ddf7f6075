#include "runtime/loader/output_file.h"

#include <fcntl.h>
#include <sys/stat.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>

#include "runtime/loader/text.h"

namespace ranklint::runtime {

// One write(2) moves at most 2 GiB; less keeps a signal from losing much.
static constexpr size_t kLargestWrite = 64u << 20;

Result<OutputFile> OutputFile::create(const std::string& path) {
  OutputFile file;
  const std::string temporary = path + ".partial";
  ::unlink(temporary.c_str());  // of a save that did not end; O_EXCL then refuses whatever else may come there
  file.descriptor_ = Descriptor(::open(temporary.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666));
  if (!file.descriptor_) return system_error(temporary, "create", errno);
  file.path_ = path;
  file.temporary_ = temporary;
  return file;
}

OutputFile::~OutputFile() {
  if (descriptor_) ::unlink(temporary_.c_str());
}

Status OutputFile::write(std::span<const std::byte> bytes) {
  while (!bytes.empty()) {
    const ssize_t written = ::write(descriptor_.get(), bytes.data(), std::min(bytes.size(), kLargestWrite));
    if (written < 0 && errno == EINTR) continue;
    if (written < 0) return system_error(path_, "write", errno);
    bytes = bytes.subspan(static_cast<size_t>(written));
  }
  return ok();
}

Status OutputFile::commit() {
  if (::fsync(descriptor_.get()) != 0) return system_error(path_, "bring to the disk", errno);
  if (::rename(temporary_.c_str(), path_.c_str()) != 0) return system_error(path_, "rename to", errno);
  descriptor_ = Descriptor();
  return sync_folder_of(path_);
}

static std::string folder_of(const std::string& path) {
  const size_t slash = path.rfind('/');
  if (slash == path.npos) return ".";
  return slash == 0 ? "/" : path.substr(0, slash);
}

Status sync_folder_of(const std::string& path) {
  const std::string folder = folder_of(path);
  const Descriptor descriptor(::open(folder.c_str(), O_RDONLY | O_DIRECTORY | O_CLOEXEC));
  if (!descriptor) return system_error(folder, "open", errno);
  // Some file systems have nothing to do for a folder and say EINVAL.
  if (::fsync(descriptor.get()) != 0 && errno != EINVAL) return system_error(folder, "bring to the disk", errno);
  return ok();
}

Status write_file(const std::string& path, std::string_view text) {
  Result<OutputFile> file = OutputFile::create(path);
  if (!file) return file.error();
  if (Status status = file->write(text); !status) return status;
  return file->commit();
}

}  // namespace ranklint::runtime
