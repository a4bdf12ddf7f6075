#include "tests/rules/cases.h"

#include <algorithm>
#include <array>
#include <cstdlib>

#include "tests/support/support.h"

namespace ranklint::test {

namespace fs = std::filesystem;

namespace {

#ifdef RANKLINT_HAS_CPP
constexpr std::array<std::string_view, 6> kSuffixes{".py", ".c", ".cpp", ".cu", ".sh", ".yaml"};
#else  // built without Clang
constexpr std::array<std::string_view, 3> kSuffixes{".py", ".sh", ".yaml"};
#endif

bool is_source(const fs::path& path) {
  return std::find(kSuffixes.begin(), kSuffixes.end(), path.extension()) != kSuffixes.end();
}

std::string relative_name(const fs::path& path) {
  return path.lexically_relative(source_path("")).generic_string();
}

CaseFile read_case_file(const fs::path& path, const fs::path& root) {
  return {.path = path.lexically_relative(root).generic_string(), .text = read_file(path), .origin = path};
}

Case folder_case(const fs::path& folder, const std::string& rule) {
  Case c{.name = relative_name(folder), .rule = rule, .files = {}};
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(folder))
    if (is_source(entry.path())) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) c.files.push_back(read_case_file(file, folder));
  return c;
}

Case file_case(const fs::path& file, const std::string& rule) {
  return {.name = relative_name(file), .rule = rule, .files = {read_case_file(file, file.parent_path())}};
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  if (fs::is_directory(folder))
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

void add_cases_of(const fs::path& folder, const std::string& rule, std::vector<Case>& cases) {
  for (const fs::path& entry : entries_of(folder)) {
    if (fs::is_directory(entry)) cases.push_back(folder_case(entry, rule));
    if (is_source(entry)) cases.push_back(file_case(entry, rule));
  }
}

// The name that a block's code is read by; empty: it is no example.
std::string example_name(std::string_view fence) {
  if (fence == "```python") return "example.py";
  if (fence == "```sh") return "example.sh";
  if (fence == "```yaml") return "example.yaml";
#ifdef RANKLINT_HAS_CPP
  if (fence == "```cpp") return "example.cpp";
  if (fence == "```c") return "example.c";
#endif
  return "";
}

// The blocks of a page under one heading that are programs.
std::vector<CaseFile> blocks_of(const fs::path& page, std::string_view heading) {
  std::vector<CaseFile> blocks;
  bool in_section = false, in_block = false;
  uint32_t number = 0;
  const std::string text = read_file(page);
  for (std::string_view line : lines_of(text)) {
    ++number;
    if (in_block) {
      if (line.starts_with("```")) in_block = false;
      else blocks.back().text.append(line).append("\n");
    } else if (line.starts_with("## ")) {
      in_section = line == heading;
    } else if (const std::string name = example_name(line); in_section && !name.empty()) {
      in_block = true;
      blocks.push_back({.path = name, .text = "", .origin = page, .line_offset = number});
    }
  }
  return blocks;
}

}  // namespace

std::vector<Case> fixture_cases() {
  std::vector<Case> cases;
  for (const fs::path& folder : entries_of(source_path("testdata/rules")))
    add_cases_of(folder, folder.filename().string(), cases);
  return cases;
}

std::vector<Case> lookalike_cases() {
  std::vector<Case> cases;
  add_cases_of(source_path("testdata/lookalikes"), "", cases);
  return cases;
}

std::vector<Case> page_cases(PageSection section) {
  const bool bad = section == PageSection::Bad;
  std::vector<Case> cases;
  for (const fs::path& page : files_below(source_path("rules"), ".md")) {
    unsigned number = 0;
    for (CaseFile& block : blocks_of(page, bad ? "## Bad" : "## Good"))
      cases.push_back({.name = relative_name(page) + (bad ? "#bad-" : "#good-") + std::to_string(++number),
                       .rule = page.stem().string(),
                       .files = {std::move(block)}});
  }
  return cases;
}

bool selected(const Case& c) {
  const char* filter = std::getenv("RANKLINT_FIXTURE");
  return !filter || c.name.find(filter) != std::string::npos;
}

}  // namespace ranklint::test
