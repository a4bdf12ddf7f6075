#include "app/engine/build_id.h"

#include <fcntl.h>
#include <link.h>
#include <unistd.h>

#include <cstring>
#include <string_view>
#include <vector>

namespace ranklint::app {

namespace {

constexpr size_t kMostNoteBytes = size_t{64} << 10;
constexpr size_t kMostSegments = 256;

class ElfFile {
 public:
  explicit ElfFile(const std::string& path) : fd_(::open(path.c_str(), O_RDONLY | O_CLOEXEC)) {}
  ElfFile(const ElfFile&) = delete;
  ElfFile& operator=(const ElfFile&) = delete;
  ~ElfFile() {
    if (fd_ >= 0) ::close(fd_);
  }

  // The segments of notes.
  std::vector<std::string> notes() const {
    ElfW(Ehdr) head{};
    if (!read(&head, sizeof head, 0) || std::memcmp(head.e_ident, ELFMAG, SELFMAG) != 0) return {};
    if (head.e_phentsize != sizeof(ElfW(Phdr)) || head.e_phnum > kMostSegments) return {};
    std::vector<ElfW(Phdr)> segments(head.e_phnum);
    if (!read(segments.data(), segments.size() * sizeof(ElfW(Phdr)), head.e_phoff)) return {};
    std::vector<std::string> notes;
    for (const ElfW(Phdr) & segment : segments) {
      if (segment.p_type != PT_NOTE || segment.p_filesz > kMostNoteBytes) continue;
      std::string bytes(segment.p_filesz, '\0');
      if (read(bytes.data(), bytes.size(), segment.p_offset)) notes.push_back(std::move(bytes));
    }
    return notes;
  }

 private:
  bool read(void* to, size_t size, uint64_t from) const {
    return fd_ >= 0 && ::pread(fd_, to, size, static_cast<off_t>(from)) == static_cast<ssize_t>(size);
  }

  int fd_;
};

// The bytes up to the next multiple of four.
size_t padded_to_four(size_t size) { return (size + 3) & ~size_t{3}; }

std::string build_id_in(std::string_view notes) {
  constexpr std::string_view kOwner("GNU\0", 4);
  ElfW(Nhdr) note{};
  while (notes.size() >= sizeof note) {
    std::memcpy(&note, notes.data(), sizeof note);
    notes.remove_prefix(sizeof note);
    const size_t name_size = padded_to_four(note.n_namesz), size = padded_to_four(note.n_descsz);
    if (name_size > notes.size() || size > notes.size() - name_size) return "";
    if (note.n_type == NT_GNU_BUILD_ID && notes.substr(0, note.n_namesz) == kOwner)
      return std::string(notes.substr(name_size, note.n_descsz));
    notes.remove_prefix(name_size + size);
  }
  return "";
}

}  // namespace

std::string build_id_of(const std::string& file) {
  for (const std::string& notes : ElfFile(file).notes())
    if (std::string id = build_id_in(notes); !id.empty()) return id;
  return "";
}

}  // namespace ranklint::app
