// A function is read at one glance, a file in one sitting and a folder in a day. What was longer when this was written
// is listed, may not grow longer, and leaves the list when it is short enough.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <optional>
#include <regex>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/layers/sources.h"

namespace ranklint::test {

namespace {

constexpr std::array<std::string_view, 5> kTypes = {"namespace ", "struct ", "class ", "enum ", "union "};
constexpr size_t kMostLinesOfFunction = 60, kMostLinesOfFile = 450, kMostSourcesOfFolder = 45;

struct Long {
  std::string what;  // a path; of a function, with its name: "a/b.cpp: name"
  size_t lines = 0;
  friend bool operator==(const Long&, const Long&) = default;
};

const std::vector<Long>& known_functions() {
  static const std::vector<Long> kKnown = {
      {"analyzer/interp/function_run_instructions.cpp: evaluate", 103},
      {"analyzer/interp/function_run_models.cpp: apply_model", 64},
      {"analyzer/summary/instantiate.cpp: instantiate", 86},
      {"analyzer/summary/rank_conditional_attribute.cpp: rank_conditional_attribute", 64},
      {"analyzer/summary/source_text.cpp: source_text", 85},
      {"analyzer/variance/values_variance.cpp: derive", 110},
  };
  return kKnown;
}

const std::vector<Long>& known_files() {
  static const std::vector<Long> kKnown = {
      {"tests/lsp/features_test.cpp", 517},
  };
  return kKnown;
}

// Our sources and tests, but for programs that are data and headers of others.
bool is_ours(const std::string& path) {
  return (path.ends_with(".cpp") || path.ends_with(".h")) && !path.starts_with("testdata/") &&
         path.find("/stubs/") == std::string::npos;
}

// The function's name, in the line that begins its head.
std::string name_in(const std::string& head) {
  std::smatch found;
  return std::regex_search(head, found, std::regex("([\\w~]+)\\(")) ? found[1].str() : head;
}

// Functions of more than `most` lines, each from its head up to its last line. Sources are laid out by one rule: a
// function begins and ends at the left margin or, in a class, two blanks from it.
std::vector<Long> long_functions(const std::vector<Line>& lines, size_t most) {
  struct Begun {
    size_t line = 0, indent = 0;
    std::string name;
    bool has_body = false;  // else its head goes on
  };
  std::vector<Long> found;
  std::optional<Begun> begun;
  bool in_class = false;
  std::string path;
  for (const Line& line : lines) {
    if (line.path != path) begun.reset(), in_class = false, path = line.path;
    const size_t indent = line.text.find_first_not_of(' ');
    if (indent == std::string::npos) continue;
    const std::string text = line.text.substr(indent);
    if (begun && !begun->has_body) {
      begun->has_body = text.ends_with('{');
      if (text.ends_with(';')) begun.reset();
    }
    const bool opens_type = std::ranges::any_of(kTypes, [&](std::string_view word) { return text.starts_with(word); });
    if (indent == 0)
      in_class = (opens_type && text.ends_with('{') && !text.starts_with("namespace")) || (in_class && text[0] != '}');
    if (indent != 0 && (indent != 2 || !in_class)) continue;
    if (text[0] == '}' && begun && begun->indent == indent) {
      if (line.number - begun->line > most) found.push_back({path + ": " + begun->name, line.number - begun->line});
      begun.reset();
    }
    if (text[0] == '}' || text[0] == '#' || text[0] == '/' || opens_type || text.find('(') == std::string::npos)
      continue;
    const bool is_table = text.find(" = ") < text.find('(');
    const bool is_head =
        !is_table && (text.ends_with('{') || std::string_view(";}").find(text.back()) == std::string_view::npos);
    if (is_head && (!begun || indent <= begun->indent))
      begun = Begun{line.number, indent, name_in(text), text.ends_with('{')};
  }
  return found;
}

std::vector<Long> long_files(const std::vector<Line>& lines, size_t most) {
  std::map<std::string, size_t> length;
  for (const Line& line : lines) length[line.path] = line.number;
  std::vector<Long> found;
  for (const auto& [path, count] : length)
    if (count > most) found.push_back({path, count});
  return found;
}

// Folders with more than `most` sources of their own.
std::vector<std::string> large_folders(const std::vector<Line>& lines, size_t most) {
  std::map<std::string, std::set<std::string>> sources;
  for (const Line& line : lines) sources[line.path.substr(0, line.path.rfind('/'))].insert(line.path);
  std::vector<std::string> found;
  for (const auto& [folder, paths] : sources)
    if (paths.size() > most) found.push_back(folder + " has " + std::to_string(paths.size()) + " sources");
  return found;
}

// What is wrong with the list: a new one, one that grew, and one that need not be listed any more.
std::vector<std::string> differences(const std::vector<Long>& found, const std::vector<Long>& known) {
  std::map<std::string, size_t> now, then;
  for (const Long& l : found) now[l.what] = std::max(now[l.what], l.lines);
  for (const Long& l : known) then[l.what] = l.lines;
  std::vector<std::string> out;
  for (const auto& [what, lines] : now)
    if (const auto before = then.find(what); before == then.end() || before->second < lines)
      out.push_back(what + " has " + std::to_string(lines) + " lines");
  for (const auto& [what, lines] : then)
    if (!now.contains(what)) out.push_back(what + " is short enough: take it off the list");
  return out;
}

std::vector<Line> our_lines() {
  std::vector<Line> ours = lines_of_repository();
  std::erase_if(ours, [](const Line& line) { return !is_ours(line.path); });
  return ours;
}

std::vector<Line> numbered(const std::string& path, const std::vector<std::string>& texts) {
  std::vector<Line> lines;
  for (const std::string& text : texts) lines.push_back({path, lines.size() + 1, text});
  return lines;
}

}  // namespace

TEST_CASE("no function has more than 60 lines, but for those that are listed") {
  const std::vector<Line> lines = our_lines();
  REQUIRE(lines.size() > 10000);
  CHECK(differences(long_functions(lines, kMostLinesOfFunction), known_functions()) == std::vector<std::string>{});
}

TEST_CASE("no file has more than 450 lines, but for those that are listed") {
  CHECK(differences(long_files(our_lines(), kMostLinesOfFile), known_files()) == std::vector<std::string>{});
}

TEST_CASE("no folder has more than 45 sources") {
  CHECK(large_folders(our_lines(), kMostSourcesOfFolder) == std::vector<std::string>{});
  const std::vector<Line> lines = {{"a/b.cpp", 1, ""}, {"a/b.h", 1, ""}, {"a/b.h", 2, ""}, {"a/c/d.h", 1, ""}};
  CHECK(large_folders(lines, 2).empty());
  CHECK(large_folders(lines, 1) == std::vector<std::string>{"a has 2 sources"});
}

TEST_CASE("a function is measured from its head to its end, in a class as well") {
  const std::vector<Line> lines = numbered(
      "a.cpp", {"static int f(int x,", "             int y) {", "  return x;", "}", "class C {", "  void g() {",
                "    h();", "    if (x) {", "    }", "  }", "  void h(int x,", "         int y);", "};"});
  CHECK(long_functions(lines, 2) == std::vector<Long>{{"a.cpp: f", 3}, {"a.cpp: g", 4}});
  CHECK(long_functions(lines, 3) == std::vector<Long>{{"a.cpp: g", 4}});
}

TEST_CASE("the list of long ones can only shrink") {
  CHECK(differences({{"a", 70}}, {{"a", 70}}).empty());
  CHECK(differences({{"a", 69}}, {{"a", 70}}).empty());
  CHECK(differences({{"a", 71}}, {{"a", 70}}) == std::vector<std::string>{"a has 71 lines"});
  CHECK(differences({{"b", 61}}, {}) == std::vector<std::string>{"b has 61 lines"});
  CHECK(differences({}, {{"a", 70}}) == std::vector<std::string>{"a is short enough: take it off the list"});
}

}  // namespace ranklint::test
