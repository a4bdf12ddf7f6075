#include "app/engine/header_folders.h"

#include <algorithm>
#include <array>

#include "analyzer/base/nearest.h"
#include "app/files/discover.h"
#include "app/files/paths.h"

namespace ranklint::app {

namespace {

constexpr size_t kMostHeaders = 400;  // that one file is followed into
constexpr size_t kLargestHeader = 4'000'000;
// The frontend searches these without an option (frontends/cpp/invocation.cpp).
constexpr std::array<std::string_view, 5> kUsualFolders{"", "/include", "/..", "/../include", "/../src"};

// Headers that the frontend brings itself.
bool is_brought(std::string_view name) {
  return std::ranges::any_of(std::array<std::string_view, 12>{"mpi.h", "nccl", "rccl", "cuda", "hip/", "torch/", "c10/",
                                                              "ATen/", "gloo/", "Al.hpp", "omp.h", "nvtx3/"},
                             [&](std::string_view beginning) { return name.starts_with(beginning); });
}

}  // namespace

std::vector<std::string> includes_in(std::string_view bytes) {
  std::vector<std::string> names;
  for (size_t begin = 0; begin < bytes.size();) {
    std::string_view line = bytes.substr(begin, std::min(bytes.find('\n', begin), bytes.size()) - begin);
    begin += line.size() + 1;
    const auto skip_spaces = [&] { line.remove_prefix(std::min(line.find_first_not_of(" \t"), line.size())); };
    skip_spaces();
    if (!line.starts_with('#')) continue;
    line.remove_prefix(1);
    skip_spaces();
    if (!line.starts_with("include")) continue;
    line.remove_prefix(7);
    skip_spaces();
    if (line.empty() || (line[0] != '"' && line[0] != '<')) continue;
    const size_t end = line.find(line[0] == '"' ? '"' : '>', 1);
    if (end == line.npos) continue;
    const std::string_view name = line.substr(1, end - 1);
    if (is_header(name) && !is_brought(name) && !name.starts_with('/')) names.emplace_back(name);
  }
  return names;
}

void HeaderFolders::find_all() {
  has_looked_ = true;
  for (std::string& path : files_->headers_below(root_)) {
    const std::string name(name_in(path));
    by_name_[name].push_back(std::move(path));
  }
}

// The header that is meant; empty: there is none. Called with the lock held.
std::string HeaderFolders::find(const std::string& included, const std::string& from) {
  if (!has_looked_) find_all();
  const auto found = by_name_.find(std::string(name_in(included)));
  if (found == by_name_.end()) return {};
  std::string best;
  for (const std::string& path : found->second)
    if (path.ends_with("/" + included) && (best.empty() || common_folders(path, from) > common_folders(best, from)))
      best = path;
  return best;
}

const HeaderFolders::Header& HeaderFolders::header(const std::string& absolute) {
  const auto [known, is_new] = headers_.try_emplace(absolute);
  if (is_new)
    if (const Result<std::string> text = files_->read(absolute, kLargestHeader))
      known->second = {.includes = includes_in(text.value()), .is_marked = marks_(text.value())};
  return known->second;
}

bool HeaderFolders::is_of_system(const std::string& included) {
  const auto [known, is_new] = of_system_.try_emplace(included);
  if (is_new) known->second = files_->exists("/usr/include/" + included);
  return known->second;
}

std::vector<std::string> HeaderFolders::folders_of(const std::string& absolute, std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  std::vector<std::string> folders, search, work;
  for (const std::string_view usual : kUsualFolders) search.push_back(std::string(parent_of(absolute)).append(usual));
  std::set<std::string> seen;
  const auto follow = [&](const std::string& from, const std::vector<std::string>& includes) {
    for (const std::string& name : includes) {
      std::string found = std::string(parent_of(from)).append("/").append(name);
      for (size_t i = 0; i < search.size() && !files_->exists(found); ++i) found = search[i] + "/" + name;
      if (!files_->exists(found)) {
        found = is_of_system(name) ? std::string() : find(name, from);
        if (found.empty()) continue;
        search.push_back(found.substr(0, found.size() - name.size() - 1));
        folders.push_back(search.back());
      }
      if (seen.size() < kMostHeaders && seen.insert(found).second) work.push_back(found);
    }
  };
  follow(absolute, includes_in(bytes));
  for (size_t i = 0; i < work.size(); ++i) {
    const std::string from = work[i];
    follow(from, header(from).includes);
  }
  return folders;
}

// Called with the lock held.
void HeaderFolders::find_marked() {
  if (!has_looked_) find_all();
  std::map<std::string, std::vector<std::string>> includers;  // all by the last parts of their names
  std::vector<std::string> work;
  for (const auto& [name, paths] : by_name_)
    for (const std::string& path : paths) {
      const Header& read = header(path);
      if (read.is_marked) work.push_back(name);
      for (const std::string& included : read.includes) includers[std::string(name_in(included))].push_back(name);
    }
  marked_.emplace();
  while (!work.empty()) {
    const std::string name = std::move(work.back());
    work.pop_back();
    if (!marked_->insert(name).second) continue;
    const std::vector<std::string>& of_it = includers[name];
    work.insert(work.end(), of_it.begin(), of_it.end());
  }
}

bool HeaderFolders::includes_marked(std::string_view bytes) {
  const std::lock_guard lock(mutex_);
  return std::ranges::any_of(includes_in(bytes), [&](const std::string& included) {
    if (is_of_system(included)) return false;
    if (!marked_) find_marked();
    return marked_->contains(std::string(name_in(included)));
  });
}

}  // namespace ranklint::app
