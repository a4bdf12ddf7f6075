#include "app/trace/dumps.h"

#include <algorithm>
#include <filesystem>
#include <set>

#include "app/files/paths.h"
#include "app/files/read.h"

namespace ranklint::app {

namespace {

namespace fs = std::filesystem;

constexpr uint64_t kLargestDumpBytes = uint64_t{1} << 30;

Result<std::vector<std::string>> files_in(const std::string& folder, const std::string& shown) {
  std::error_code error;
  if (fs::is_regular_file(folder, error)) return std::vector<std::string>{folder};
  std::vector<std::string> files;
  for (fs::directory_iterator at(folder, error), end; !error && at != end; at.increment(error)) {
    std::error_code ignored;
    const std::string name = at->path().filename().string();
    if (!name.starts_with('.') && at->is_regular_file(ignored)) files.push_back(folder + "/" + name);
  }
  if (error) return Error{.message = "the dumps can not be listed: " + error.message(), .path = shown};
  std::sort(files.begin(), files.end());
  return files;
}

// A file's name without its digits: the same for the dumps of all ranks.
std::string stem_of(std::string_view path) {
  std::string stem(path.substr(path.rfind('/') + 1));
  std::erase_if(stem, [](char c) { return c >= '0' && c <= '9'; });
  return stem;
}

// A file that is named as the dumps are is one, in any state; so is one that is empty.
void sort_out(std::vector<std::pair<std::string, bool>> strangers, bool one_file, const std::set<std::string>& stems,
              Dumps& dumps) {
  for (auto& [path, is_empty] : strangers) {
    if (is_empty)
      dumps.damaged.push_back(
          {.message = "the dump is empty: its rank wrote nothing, or was killed as it did", .path = path});
    else if (one_file || stems.contains(stem_of(path)))
      dumps.damaged.push_back(
          {.message = "at byte 0: this is no dump: neither a pickle nor a JSON object begins there", .path = path});
    else
      dumps.left_out.push_back(std::move(path));
  }
}

void find_gaps(Dumps& dumps) {
  dumps.gaps = dumps.damaged;
  std::set<int> read, missing;
  for (const Dump& dump : dumps.all) {
    read.insert(dump.rank);
    if (dump.entries.empty())
      dumps.gaps.push_back(
          {.message = "no call is recorded here: whether rank " + std::to_string(dump.rank) + " waits is not known",
           .path = dump.file});
  }
  for (const Dump& dump : dumps.all)
    for (const auto& [group, ranks] : dump.members)
      for (const int rank : ranks)
        if (!read.contains(rank) && missing.insert(rank).second && dumps.damaged.empty())
          dumps.gaps.push_back({.message = "no dump of rank " + std::to_string(rank) +
                                           " was found, which is in group `" + group +
                                           "`: whether it waits is not known",
                                .path = dump.file});
}

}  // namespace

Result<Dumps> read_dumps(const std::string& folder, const std::string& cwd) {
  const std::string absolute = absolute_path(folder, cwd);
  const Result<std::vector<std::string>> files = files_in(absolute, folder);
  if (!files) return files.error();
  Dumps dumps;
  std::vector<std::pair<std::string, bool>> strangers;  // and whether it is empty
  std::set<std::string> stems;
  for (const std::string& file : files.value()) {
    const std::string shown = shown_path(file, absolute_path(cwd, ""));
    const Result<std::string> bytes = read_file(file, kLargestDumpBytes);
    if (bytes.has_value() && !looks_like_dump(bytes.value())) {
      strangers.emplace_back(shown, bytes.value().find_first_not_of(" \t\r\n") == std::string::npos);
      continue;
    }
    stems.insert(stem_of(file));
    Result<Dump> dump =
        bytes.has_value() ? read_dump(bytes.value(), shown) : Error{.message = bytes.error().message, .path = shown};
    if (!dump) {
      dumps.damaged.push_back(dump.error());
      continue;
    }
    for (const Dump& other : dumps.all)
      if (other.rank == dump->rank)
        return Error{.message = "a second dump of rank " + std::to_string(dump->rank) + ", after " + other.file +
                                "; keep the dumps of one run in a folder",
                     .path = shown};
    dumps.all.push_back(std::move(dump).value());
  }
  const bool one_file = files.value().size() == 1 && files.value().front() == absolute;
  sort_out(std::move(strangers), one_file, stems, dumps);
  const std::string stranger = dumps.left_out.empty() ? ""
                                                      : ", and " + dumps.left_out.front() +
                                                            " is none: neither a pickle nor a JSON object begins there";
  if (dumps.all.empty() && dumps.damaged.empty())
    return Error{
        .message =
            "no dumps here" + stranger +
            "; PyTorch writes them when TORCH_FR_BUFFER_SIZE is above 0 (before 2.9: TORCH_NCCL_TRACE_BUFFER_SIZE) "
            "and a watchdog fires, to the name in TORCH_FR_DUMP_TEMP_FILE and the rank",
        .path = folder};
  std::sort(dumps.all.begin(), dumps.all.end(), [](const Dump& a, const Dump& b) { return a.rank < b.rank; });
  find_gaps(dumps);
  return dumps;
}

}  // namespace ranklint::app
