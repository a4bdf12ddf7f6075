#include "tests/layers/sources.h"

#include <algorithm>
#include <array>
#include <filesystem>
#include <sstream>

#include "tests/support/support.h"

namespace ranklint::test {

namespace fs = std::filesystem;

namespace {

constexpr std::array<std::string_view, 5> kSourceFolders = {"analyzer/", "frontends/", "rules/", "runtime/", "app/"};

// What .gitignore names, and what git and tools keep for themselves.
bool is_ours(const fs::path& folder) {
  const std::string name = folder.filename().string();
  const bool hidden = name.starts_with(".") && name != ".ci" && name != ".github";
  return !hidden && name != "node_modules" && name != "build" && !name.starts_with("build-") && name != "__pycache__" &&
         name != "shared";
}

void collect(const fs::path& folder, std::vector<fs::path>& files) {
  for (const fs::directory_entry& entry : fs::directory_iterator(folder)) {
    if (entry.is_symlink()) continue;
    if (entry.is_directory() && is_ours(entry.path())) collect(entry.path(), files);
    if (entry.is_regular_file() && entry.path().filename() != ".git")
      files.push_back(entry.path());  // of a linked work tree
  }
}

void split(const std::string& path, const std::string& bytes, std::vector<Line>& lines) {
  if (bytes.find('\0') != std::string::npos) return;
  std::istringstream in(bytes);
  std::string text;
  for (size_t number = 1; std::getline(in, text); ++number) lines.push_back({path, number, text});
}

bool is_source(std::string_view path) {
  const bool cpp = path.ends_with(".h") || path.ends_with(".cpp");
  return cpp && std::any_of(kSourceFolders.begin(), kSourceFolders.end(),
                            [&](std::string_view folder) { return path.starts_with(folder); });
}

}  // namespace

std::string describe(const Line& line) { return line.path + ":" + std::to_string(line.number) + ": " + line.text; }

std::vector<Line> lines_of_repository() {
  const fs::path root = source_path("");
  std::vector<fs::path> files;
  collect(root, files);
  std::sort(files.begin(), files.end());
  std::vector<Line> lines;
  for (const fs::path& file : files) split(fs::relative(file, root).generic_string(), read_file(file), lines);
  return lines;
}

std::vector<Line> lines_of_sources(const std::vector<Line>& all) {
  std::vector<Line> lines;
  for (const Line& line : all)
    if (is_source(line.path)) lines.push_back({line.path, line.number, line.text.substr(0, line.text.find("//"))});
  return lines;
}

bool is_general(std::string_view path) {
  constexpr std::string_view kApart[] = {"analyzer/ir/", "analyzer/machine/", "analyzer/mpi_check/",
                                         "analyzer/resolve/embedding/", "analyzer/resolve/model"};
  return (path.starts_with("analyzer/") || path.starts_with("rules/")) &&
         std::ranges::none_of(kApart, [&](std::string_view apart) { return path.starts_with(apart); });
}

std::string_view included(std::string_view line) {
  constexpr std::string_view kDirective = "#include ";
  if (!line.starts_with(kDirective)) return {};
  line.remove_prefix(kDirective.size());
  const size_t end = line.find_first_of("\">", 1);
  return end == line.npos ? std::string_view() : line.substr(0, end + 1);
}

std::vector<std::string> literals_in(const std::string& line) {
  std::vector<std::string> found;
  if (!included(line).empty()) return found;
  bool inside = false;
  for (size_t at = 0; at < line.size(); ++at) {
    const bool escapes = inside && line[at] == '\\' && at + 1 < line.size();
    if (line[at] == '"') {
      inside = !inside;
      if (inside) found.emplace_back();
    } else if (inside) {
      found.back() += line[at];
    }
    if (escapes) ++at;
  }
  return found;
}

}  // namespace ranklint::test
