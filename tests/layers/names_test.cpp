// A name means one type in the whole of a program. Where two headers of one namespace define two, no compiler sees both
// and the linker takes their functions for the same.
#include <catch2/catch.hpp>

#include <map>
#include <regex>
#include <string>
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

}  // namespace

TEST_CASE("no two headers define one name") {
  const std::vector<Line> sources = lines_of_sources(lines_of_repository());
  REQUIRE(sources.size() > 1000);
  CHECK(defined_again(sources) == std::vector<std::string>{});
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
