// A name means one type in the whole of a program. Where two headers of one namespace define two, no compiler sees both
// and the linker takes their functions for the same.
#include <catch2/catch.hpp>

#include <algorithm>
#include <array>
#include <map>
#include <regex>
#include <string>
#include <string_view>
#include <vector>

#include "tests/layers/sources.h"

namespace ranklint::test {

namespace {

// Each but the first definition of a name, with where the first is. A header opens one namespace.
std::vector<std::string> defined_again(const std::vector<Line>& sources) {
  const std::regex opens("^namespace ([\\w:]+) \\{");
  const std::regex defines(
      "^(?:struct|class|enum class) (?:alignas\\(\\d+\\) |\\[\\[\\w+\\]\\] )?(\\w+)(?: final)?(?: : .*)? \\{");
  std::map<std::string, std::string> first;
  std::vector<std::string> again;
  std::string space;
  for (const Line& line : sources) {
    if (!line.path.ends_with(".h") || line.path.find("/stubs/") != std::string::npos) continue;
    std::smatch found;
    if (std::regex_search(line.text, found, opens)) space = found[1];
    if (!std::regex_search(line.text, found, defines)) continue;
    const auto [known, is_new] = first.emplace(space + "::" + found[1].str(), describe(line));
    if (!is_new) again.push_back(describe(line) + ", and " + known->second);
  }
  return again;
}

constexpr std::array<std::string_view, 4> kCompiledTogether{"analyzer/", "rules/", "frontends/", "app/"};

// The same of what a source file keeps for itself in a namespace without a name: constants and types. Files of one
// folder, and all of them where a build is made once, are compiled together, so that two of one name meet.
std::vector<std::string> kept_again(const std::vector<Line>& lines) {
  const std::regex opens("^namespace (\\w[\\w:]* )?\\{");
  const std::regex defines(
      "^(?:constexpr [\\w:<>, *&]+[ *&]|(?:class|struct|enum class|enum) )(\\w+)(?: final)?(?: : .*)?[\\[{ =]");
  std::map<std::string, std::pair<std::string, std::string>> first;  // by namespace and name: the file, the place
  std::vector<std::string> again;
  std::vector<std::string> spaces;
  std::string file;
  for (const Line& line : lines) {
    const bool is_compiled_together =
        std::ranges::any_of(kCompiledTogether, [&](std::string_view f) { return line.path.starts_with(f); });
    if (!is_compiled_together || !line.path.ends_with(".cpp")) continue;
    if (line.path != file) spaces.clear();
    file = line.path;
    std::smatch found;
    if (std::regex_search(line.text, found, opens)) {
      spaces.push_back(found[1]);
      continue;
    }
    const bool is_unnamed = std::ranges::find(spaces, "") != spaces.end();
    if (line.text.starts_with("}  // namespace") && !spaces.empty()) spaces.pop_back();
    const bool only_declares = line.text.ends_with(";") && !line.text.starts_with("constexpr");
    if (!is_unnamed || only_declares || !std::regex_search(line.text, found, defines)) continue;
    std::string name;
    for (const std::string& space : spaces) name += space + "::";
    const auto [known, is_new] = first.emplace(name + found[1].str(), std::pair(line.path, describe(line)));
    if (!is_new && known->second.first != line.path) again.push_back(describe(line) + ", and " + known->second.second);
  }
  return again;
}

}  // namespace

TEST_CASE("no two headers define one name") {
  const std::vector<Line> sources = lines_of_sources(lines_of_repository());
  REQUIRE(sources.size() > 1000);
  CHECK(defined_again(sources) == std::vector<std::string>{});
}

TEST_CASE("no two sources keep constants or types of one name for themselves") {
  CHECK(kept_again(lines_of_repository()) == std::vector<std::string>{});
}

TEST_CASE("a name that two sources of one namespace keep for themselves is found") {
  const std::vector<Line> lines = {{"app/x.cpp", 1, "namespace one {"},
                                   {"app/x.cpp", 2, "namespace {"},
                                   {"app/x.cpp", 3, "constexpr int kMost = 3;"},
                                   {"app/x.cpp", 4, "}  // namespace"},
                                   {"app/x.cpp", 5, "struct Piece {"},
                                   {"app/y.cpp", 1, "namespace two {"},
                                   {"app/y.cpp", 2, "namespace {"},
                                   {"app/y.cpp", 3, "constexpr int kMost = 4;"},
                                   {"app/z.cpp", 1, "namespace one {"},
                                   {"app/z.cpp", 2, "namespace {"},
                                   {"app/z.cpp", 3, "constexpr size_t kMost{4};"},
                                   {"app/z.cpp", 4, "class Piece;"}};
  CHECK(kept_again(lines) ==
        std::vector<std::string>{"app/z.cpp:3: constexpr size_t kMost{4};, and app/x.cpp:3: constexpr int kMost = 3;"});
}

TEST_CASE("a name that two headers of one namespace define is found") {
  const std::vector<Line> sources = {
      {"a/x.h", 1, "namespace one {"}, {"a/x.h", 2, "struct Piece {"},
      {"b/y.h", 1, "namespace two {"}, {"b/y.h", 2, "class Piece {"},
      {"c/z.h", 1, "namespace one {"}, {"c/z.h", 2, "struct alignas(64) Piece final : Base {"},
      {"c/z.cpp", 3, "struct Piece {"}};
  CHECK(defined_again(sources) ==
        std::vector<std::string>{"c/z.h:2: struct alignas(64) Piece final : Base {, and a/x.h:2: struct Piece {"});
}

}  // namespace ranklint::test
