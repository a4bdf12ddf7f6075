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

// What a source file keeps for itself: what stands in a namespace without a name.
struct KeptLine {
  Line line;
  std::string space;  // "ranklint::::", all namespaces around it
};

// Files of one folder, and all of them where a build is made once, are compiled together, so that two of one name meet.
std::vector<KeptLine> kept_lines(const std::vector<Line>& lines) {
  const std::regex opens("^namespace (\\w[\\w:]* )?\\{");
  std::vector<KeptLine> kept;
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
    if (!is_unnamed) continue;
    kept.push_back({line, {}});
    for (const std::string& space : spaces) kept.back().space += space + "::";
  }
  return kept;
}

// Those of one name in two files. A file may declare a name before it defines it.
class KeptNames {
 public:
  void add(const KeptLine& at, const std::string& name) {
    const auto [known, is_new] = first_.emplace(at.space + name, at.line);
    if (!is_new && known->second.path != at.line.path)
      again.push_back(describe(at.line) + ", and " + describe(known->second));
  }

  std::vector<std::string> again;

 private:
  std::map<std::string, Line> first_;
};

// Constants and types.
std::vector<std::string> kept_again(const std::vector<Line>& lines) {
  const std::regex defines(
      "^(?:constexpr [\\w:<>, *&]+[ *&]|(?:class|struct|enum class|enum) )(\\w+)(?: final)?(?: : .*)?[\\[{ =]");
  KeptNames names;
  for (const KeptLine& kept : kept_lines(lines)) {
    const std::string& text = kept.line.text;
    const bool only_declares = text.ends_with(";") && !text.starts_with("constexpr");
    std::smatch found;
    if (!only_declares && std::regex_search(text, found, defines)) names.add(kept, found[1]);
  }
  return names.again;
}

// The types of parameters, which alone tell two functions of one name apart: "const Query& in, FunctionKey f = {}" is
// "const Query&,FunctionKey,".
std::string types_of(const std::string& parameters) {
  std::string types, one;
  int depth = 0;
  for (const char c : parameters + ",") {
    depth += c == '<' || c == '(' || c == '{' ? 1 : c == '>' || c == ')' || c == '}' ? -1 : 0;
    if (c != ',' || depth > 0) {
      one += c;
      continue;
    }
    static const std::regex kNameAtEnd("([&*> ]|\\w )\\w+ *(= .*|\\{\\})?$"), kBlanks("^ +| +$");
    types +=
        std::regex_replace(std::regex_replace(std::regex_replace(one, kBlanks, ""), kNameAtEnd, "$1"), kBlanks, "") +
        ",";
    one.clear();
  }
  return types;
}

// Free functions with the same parameters. A head that goes over several lines ends where its parentheses do.
std::vector<std::string> kept_functions_again(const std::vector<Line>& lines) {
  const std::regex begins("^[A-Za-z][\\w:<>,&* ]*[ &*](\\w+)\\(");
  KeptNames names;
  std::string head, name;
  KeptLine first;
  for (const KeptLine& kept : kept_lines(lines)) {
    std::smatch found;
    if (head.empty() && std::regex_search(kept.line.text, found, begins)) {
      first = kept;
      name = found[1];
      head = found.suffix();
    } else if (!head.empty()) {
      head += " " + kept.line.text.substr(std::min(kept.line.text.find_first_not_of(' '), kept.line.text.size()));
    }
    int depth = head.empty() ? 0 : 1;
    const auto end = std::ranges::find_if(head, [&](char c) {
      return (depth += c == '(' ? 1 : c == ')' ? -1 : 0) == 0;
    });
    if (head.empty() || (depth > 0 && head.size() < 1000)) continue;
    names.add(first, name + "(" + types_of(std::string(head.begin(), end)) + ")");
    head.clear();
  }
  return names.again;
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

TEST_CASE("no two sources keep functions of one name and the same parameters for themselves") {
  CHECK(kept_functions_again(lines_of_repository()) == std::vector<std::string>{});
}

TEST_CASE("a function that two sources keep for themselves is found, an overload is none") {
  const std::vector<Line> lines = {{"app/x.cpp", 1, "namespace one {"},
                                   {"app/x.cpp", 2, "namespace {"},
                                   {"app/x.cpp", 3, "bool is_so(const Query& in, std::map<int, int> m);"},
                                   {"app/x.cpp", 4, "bool is_so(const Query& query, std::map<int, int> other) {"},
                                   {"app/x.cpp", 5, "  return in.is(query);"},
                                   {"app/y.cpp", 1, "namespace one {"},
                                   {"app/y.cpp", 2, "namespace {"},
                                   {"app/y.cpp", 3, "bool is_so(const Query& in, FunctionKey) {"},
                                   {"app/z.cpp", 1, "namespace one {"},
                                   {"app/z.cpp", 2, "namespace {"},
                                   {"app/z.cpp", 3, "bool is_so(const Query& in,"},
                                   {"app/z.cpp", 4, "           FunctionKey within = {}) {"}};
  CHECK(kept_functions_again(lines) ==
        std::vector<std::string>{"app/z.cpp:3: bool is_so(const Query& in,, and app/y.cpp:3: bool is_so(const Query& "
                                 "in, FunctionKey) {"});
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
