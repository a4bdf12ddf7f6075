#include "app/files/observed_files.h"

#include <algorithm>
#include <filesystem>

#include "app/files/discover.h"

namespace ranklint::app {

namespace {

namespace fs = std::filesystem;
using Kind = Observation::Kind;

constexpr size_t kMostEntries = 200'000;  // that are looked through for headers

Digest entry_at(const std::string& path) {
  std::error_code error;
  const fs::file_status status = fs::status(path, error);
  if (error || !fs::exists(status)) return {};
  return answer_of_entry(fs::is_directory(status));
}

Digest answer_of_file(const std::string& path, std::string_view bytes) {
  std::error_code ignored;
  return answer_of_bytes(bytes, fs::canonical(path, ignored).string());
}

Digest names_in(const std::string& folder) {
  std::error_code error;
  std::vector<std::string> names;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error))
    names.push_back(at->path().filename().string());
  return error ? Digest{} : answer_of_names(std::move(names));
}

std::vector<std::string> find_headers(const std::string& folder) {
  std::vector<std::string> headers;
  std::error_code error;
  size_t entries = 0;
  for (fs::recursive_directory_iterator at(folder, fs::directory_options::skip_permission_denied, error), end;
       at != end && entries < kMostEntries; at.increment(error)) {
    if (error) break;
    ++entries;
    const std::string name = at->path().filename().string();
    if (at->is_directory(error)) {
      if (name.starts_with('.') || name == "node_modules" || name == "CMakeFiles") at.disable_recursion_pending();
    } else if (is_header(name)) {
      headers.push_back(at->path().string());
    }
  }
  std::sort(headers.begin(), headers.end());
  return headers;
}

// What is seen now; nothing: it is unknown.
std::optional<Digest> answer_now(Kind kind, const std::string& path) {
  switch (kind) {
    case Kind::Entry: return entry_at(path);
    case Kind::Bytes:
      if (const Result<std::string> bytes = read_file(path, UINT64_MAX)) return answer_of_file(path, bytes.value());
      return std::nullopt;
    case Kind::Names: return names_in(path);
    case Kind::Headers: return answer_of_names(find_headers(path));
    case Kind::Unrepeatable: return std::nullopt;
  }
  return std::nullopt;
}

bool is_still_so(const Observation& seen) { return answer_now(seen.kind, seen.path) == seen.answer; }

}  // namespace

Result<std::string> ObservedFiles::read(const std::string& path, uint64_t largest_bytes) {
  Result<std::string> bytes = read_file(path, largest_bytes);
  note(bytes ? Observation{Kind::Bytes, path, answer_of_file(path, bytes.value())}
             : Observation{Kind::Unrepeatable, path, {}});
  return bytes;
}

bool ObservedFiles::is_file(const std::string& path) {
  note({Kind::Entry, path, entry_at(path)});
  std::error_code ignored;
  return fs::is_regular_file(path, ignored);
}

bool ObservedFiles::exists(const std::string& path) {
  const Digest entry = entry_at(path);
  note({Kind::Entry, path, entry});
  return entry != Digest{};
}

std::vector<std::string> ObservedFiles::headers_below(const std::string& folder) {
  std::vector<std::string> headers = find_headers(folder);
  note({Kind::Headers, folder, answer_of_names(headers)});
  return headers;
}

void ObservedFiles::note(Observation seen) {
  const std::lock_guard lock(mutex_);
  if (seen.kind == Kind::Unrepeatable) is_repeatable_ = false;
  const auto [known, is_new] = seen_.try_emplace({std::move(seen.path), seen.kind}, seen.answer);
  if (!is_new && known->second != seen.answer) is_repeatable_ = false;
}

bool ObservedFiles::sees(const Observation& then) {
  {
    const std::lock_guard lock(mutex_);
    if (const auto known = seen_.find({then.path, then.kind}); known != seen_.end())
      return known->second == then.answer;
  }
  const std::optional<Digest> now = answer_now(then.kind, then.path);
  if (!now) return false;
  note({then.kind, then.path, *now});
  return *now == then.answer;
}

std::optional<std::vector<Observation>> ObservedFiles::all() const {
  const std::lock_guard lock(mutex_);
  if (!is_repeatable_) return std::nullopt;
  std::vector<Observation> all;
  all.reserve(seen_.size());
  for (const auto& [question, answer] : seen_) all.push_back({question.second, question.first, answer});
  return all;
}

bool are_still_so(std::span<const Observation> seen) { return std::all_of(seen.begin(), seen.end(), is_still_so); }

}  // namespace ranklint::app
