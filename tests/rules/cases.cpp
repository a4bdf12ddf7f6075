#include "tests/rules/cases.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <cstdlib>

#include "frontends/requirements/requirements.h"
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
  return std::find(kSuffixes.begin(), kSuffixes.end(), path.extension()) != kSuffixes.end() ||
         may_require(path.string()) || path.filename() == "README.md";
}

std::string relative_name(const fs::path& path) { return path.lexically_relative(source_path("")).generic_string(); }

CaseFile read_case_file(const fs::path& path, const fs::path& root) {
  return {.path = path.lexically_relative(root).generic_string(), .text = read_file(path), .origin = path};
}

std::vector<fs::path> entries_of(const fs::path& folder) {
  std::vector<fs::path> entries;
  if (fs::is_directory(folder))
    for (const fs::directory_entry& entry : fs::directory_iterator(folder)) entries.push_back(entry.path());
  std::sort(entries.begin(), entries.end());
  return entries;
}

void add_places_in(const fs::path& folder, const std::string& rule, std::vector<CasePlace>& places) {
  for (const fs::path& entry : entries_of(folder))
    if (fs::is_directory(entry) || is_source(entry)) places.push_back({relative_name(entry), rule, entry});
}

std::vector<Case> read_all(const std::vector<CasePlace>& places) {
  REQUIRE_FALSE(places.empty());
  std::vector<Case> cases;
  for (const CasePlace& place : places) cases.push_back(read_case(place));
  return cases;
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
      if (line.starts_with("```"))
        in_block = false;
      else
        blocks.back().text.append(line).append("\n");
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

std::vector<CasePlace> fixture_places() {
  std::vector<CasePlace> places;
  for (const fs::path& folder : entries_of(source_path("testdata/rules")))
    add_places_in(folder, folder.filename().string(), places);
  return places;
}

std::vector<CasePlace> lookalike_places() {
  std::vector<CasePlace> places;
  add_places_in(source_path("testdata/lookalikes"), "", places);
  return places;
}

Case read_case(const CasePlace& place) {
  const fs::path& path = place.path;
  Case c{.name = place.name, .rule = place.rule, .files = {}};
  if (!fs::is_directory(path)) {
    c.files.push_back(read_case_file(path, path.parent_path()));
    return c;
  }
  std::vector<fs::path> files;
  for (const fs::directory_entry& entry : fs::recursive_directory_iterator(path))
    if (is_source(entry.path())) files.push_back(entry.path());
  std::sort(files.begin(), files.end());
  for (const fs::path& file : files) c.files.push_back(read_case_file(file, path));
  return c;
}

std::vector<Case> fixture_cases() { return read_all(fixture_places()); }
std::vector<Case> lookalike_cases() { return read_all(lookalike_places()); }

std::vector<Case> cases_of_page(const fs::path& page, PageSection section) {
  const bool bad = section == PageSection::Bad;
  std::vector<Case> cases;
  unsigned number = 0;
  for (CaseFile& block : blocks_of(page, bad ? "## Bad" : "## Good"))
    cases.push_back({.name = relative_name(page) + (bad ? "#bad-" : "#good-") + std::to_string(++number),
                     .rule = page.stem().string(),
                     .files = {std::move(block)}});
  return cases;
}

std::vector<Case> page_cases(PageSection section) {
  std::vector<Case> cases;
  for (const fs::path& page : files_below(source_path("rules"), ".md"))
    for (Case& c : cases_of_page(page, section)) cases.push_back(std::move(c));
  return cases;
}

bool is_selected(const std::string& name) {
  const char* filter = std::getenv("RANKLINT_FIXTURE");
  return !filter || name.find(filter) != std::string::npos;
}

}  // namespace ranklint::test
