#include "app/cache/store.h"

#include <fcntl.h>
#include <sys/stat.h>

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <tuple>
#include <vector>

#include "app/files/paths.h"
#include "app/files/read.h"
#include "app/files/write.h"

namespace ranklint::app {

namespace {

namespace fs = std::filesystem;

constexpr std::string_view kTag =
    "Signature: 8a477f597d28d172789f06886806bc55\n"
    "# This folder is a cache of ranklint: it may be deleted at any time (`ranklint clean`).\n";
constexpr std::string_view kBeginning = "ranklint cache entry 1\n";
constexpr uint64_t kLargestEntryBytes = uint64_t{64} << 20;
constexpr size_t kDigitsOfKey = 32;
constexpr std::chrono::hours kLongestWrite{1};

// What stands before the bytes of an entry.
std::string head_of(const Digest& key, std::string_view bytes) {
  return std::string(kBeginning) + hex_of(key) + hex_of(digest_of(bytes)) + "\n";
}

// The name of an entry, or of one that is being written.
bool is_name_of_entry(std::string_view name) {
  const std::string_view key = name.substr(0, kDigitsOfKey);
  const bool is_key = key.size() == kDigitsOfKey && key.find_first_not_of("0123456789abcdef") == std::string_view::npos;
  return is_key && (name.size() == kDigitsOfKey || name.substr(kDigitsOfKey).starts_with(".ranklint-"));
}

// Whether the folder holds nothing but what a process left that was killed while it made a store.
bool is_unused(const std::string& folder) {
  std::error_code error;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    const std::string name = at->path().filename().string();
    if (name != ".gitignore" && name.find(".ranklint-") == std::string::npos) return false;
  }
  return !error;
}

struct EntryFile {
  fs::file_time_type used;
  uint64_t size_bytes = 0;
  fs::path path;
};

}  // namespace

std::string Store::path_of(const Digest& key) const { return folder_ + "/" + hex_of(key); }

std::optional<std::string> Store::get(const Digest& key) const {
  if (folder_.empty()) return std::nullopt;
  const std::string path = path_of(key);
  Result<std::string> read = read_file(path, kLargestEntryBytes);
  if (!read) return std::nullopt;
  const size_t head_size = kBeginning.size() + 2 * kDigitsOfKey + 1;
  if (read->size() < head_size) return std::nullopt;
  std::string bytes = read->substr(head_size);
  if (read->substr(0, head_size) != head_of(key, bytes)) return std::nullopt;
  ::utimensat(AT_FDCWD, path.c_str(), nullptr, 0);  // it was used now; where that cannot be noted, it goes sooner
  return bytes;
}

void Store::put(const Digest& key, std::string_view bytes) const {
  if (folder_.empty() || bytes.size() > std::min(kLargestEntryBytes / 2, most_bytes_) || !prepare()) return;
  const std::string path = path_of(key);
  replace_file(path, path, head_of(key, bytes) + std::string(bytes));
}

bool Store::prepare() const {
  if (is_store(folder_)) return true;
  std::error_code error;
  fs::create_directory(folder_, error);
  if (error || !is_unused(folder_)) return is_store(folder_);  // another process may just have made it
  const std::string ignore = folder_ + "/.gitignore", tag = folder_ + "/CACHEDIR.TAG";
  if (!fs::exists(ignore, error) && replace_file(ignore, ignore, "# Made by ranklint.\n*\n")) return false;
  return !replace_file(tag, tag, kTag);
}

void Store::trim() const {
  if (!is_store(folder_)) return;
  std::error_code error;
  std::vector<EntryFile> entries;
  uint64_t all_bytes = 0;
  const auto now = fs::file_time_type::clock::now();
  for (fs::directory_iterator at(folder_, error), end; !error && at != end; at.increment(error)) {
    std::error_code gone;  // others trim, too
    const std::string name = at->path().filename().string();
    if (!is_name_of_entry(name)) continue;
    EntryFile entry{at->last_write_time(gone), at->file_size(gone), at->path()};
    if (gone) continue;
    if (name.size() > kDigitsOfKey && now - entry.used > kLongestWrite) fs::remove(at->path(), gone);  // it was killed
    all_bytes += entry.size_bytes;
    entries.push_back(std::move(entry));
  }
  std::sort(entries.begin(), entries.end(),
            [](const EntryFile& a, const EntryFile& b) { return std::tie(a.used, a.path) < std::tie(b.used, b.path); });
  for (const EntryFile& entry : entries) {
    if (all_bytes <= most_bytes_) return;
    fs::remove(entry.path, error);
    all_bytes -= entry.size_bytes;
  }
}

bool is_store(const std::string& folder) {
  const Result<std::string> tag = read_file(folder + "/CACHEDIR.TAG", kTag.size());
  return tag && tag.value() == kTag;
}

std::optional<Error> remove_store(const std::string& folder, const std::string& shown) {
  if (!is_store(folder)) return Error{.message = "is no cache of ranklint", .path = shown};
  std::error_code error;
  fs::remove_all(folder, error);
  if (error) return Error{.message = "can not be removed: " + reason_of(error), .path = shown};
  return std::nullopt;
}

}  // namespace ranklint::app
