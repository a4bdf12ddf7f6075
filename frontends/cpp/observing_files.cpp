#include "frontends/cpp/observing_files.h"

#include <llvm/Support/MemoryBuffer.h>
#include <llvm/Support/Path.h>

#include <memory>
#include <string>
#include <utility>

namespace ranklint::cpp {

namespace {

using Kind = Observation::Kind;

// An open file whose bytes are noted when they are read.
class ObservedFile : public llvm::vfs::File {
 public:
  ObservedFile(std::unique_ptr<llvm::vfs::File> file, std::string path, std::vector<Observation>& seen)
      : file_(std::move(file)), path_(std::move(path)), seen_(seen) {}

  llvm::ErrorOr<llvm::vfs::Status> status() override { return file_->status(); }
  llvm::ErrorOr<std::string> getName() override { return file_->getName(); }
  std::error_code close() override { return file_->close(); }
  llvm::ErrorOr<std::unique_ptr<llvm::MemoryBuffer>> getBuffer(const llvm::Twine& name, int64_t size, bool with_null,
                                                               bool is_volatile) override {
    auto buffer = file_->getBuffer(name, size, with_null, is_volatile);
    const llvm::ErrorOr<std::string> real = file_->getName();
    if (!buffer || !real)
      seen_.push_back({Kind::Unrepeatable, path_, {}});
    else
      seen_.push_back({Kind::Bytes, path_, answer_of_bytes((*buffer)->getBuffer(), *real)});
    return buffer;
  }

 private:
  std::unique_ptr<llvm::vfs::File> file_;
  std::string path_;
  std::vector<Observation>& seen_;
};

class ObservingFiles : public llvm::vfs::ProxyFileSystem {
 public:
  ObservingFiles(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files, std::vector<Observation>& seen)
      : ProxyFileSystem(std::move(files)), seen_(seen) {}

  llvm::ErrorOr<llvm::vfs::Status> status(const llvm::Twine& path) override {
    auto status = ProxyFileSystem::status(path);
    note_entry(path, status);
    return status;
  }

  bool exists(const llvm::Twine& path) override { return static_cast<bool>(status(path)); }

  llvm::ErrorOr<std::unique_ptr<llvm::vfs::File>> openFileForRead(const llvm::Twine& path) override {
    auto file = ProxyFileSystem::openFileForRead(path);
    if (!file) {
      note_entry(path, ProxyFileSystem::status(path));
      return file;
    }
    note_entry(path, (*file)->status());
    return std::unique_ptr<llvm::vfs::File>(std::make_unique<ObservedFile>(std::move(*file), absolute(path), seen_));
  }

  llvm::vfs::directory_iterator dir_begin(const llvm::Twine& folder, std::error_code& error) override {
    std::vector<std::string> names;
    std::error_code stopped;
    for (llvm::vfs::directory_iterator at = ProxyFileSystem::dir_begin(folder, stopped), end; !stopped && at != end;
         at.increment(stopped))
      names.push_back(llvm::sys::path::filename(at->path()).str());
    seen_.push_back({Kind::Names, absolute(folder), stopped ? Digest{} : answer_of_names(std::move(names))});
    return ProxyFileSystem::dir_begin(folder, error);
  }

 private:
  std::string absolute(const llvm::Twine& path) const {
    llvm::SmallString<256> out;
    path.toVector(out);
    return makeAbsolute(out) ? std::string() : out.str().str();
  }

  void note_entry(const llvm::Twine& path, const llvm::ErrorOr<llvm::vfs::Status>& status) {
    seen_.push_back({Kind::Entry, absolute(path), status ? answer_of_entry(status->isDirectory()) : Digest{}});
  }

  std::vector<Observation>& seen_;
};

}  // namespace

llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> observing(llvm::IntrusiveRefCntPtr<llvm::vfs::FileSystem> files,
                                                          std::vector<Observation>& seen) {
  return llvm::makeIntrusiveRefCnt<ObservingFiles>(std::move(files), seen);
}

}  // namespace ranklint::cpp
