// What functions of libraries do is data (rules/models/*.json): no analysis and no rule knows one by its name, but what
// rules say may name one. Nor does one ask which language a file is in: frontends state what follows from that
// (ir::Convention).
#include <catch2/catch.hpp>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "tests/layers/sources.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace {

using Json = nlohmann::json;

std::string root_of(const std::string& name) {
  const size_t dot = name.find('.');
  return dot == name.npos || name.starts_with("*") || name.starts_with("?") ? std::string() : name.substr(0, dot);
}

// The packages that models and roles speak of: "torch". Python's own modules are words of other meanings as well.
std::set<std::string> packages() {
  std::set<std::string> found;
  const auto add = [&](const Json& name) { found.insert(root_of(name.get<std::string>())); };
  for (const std::filesystem::path& path : files_below(source_path("rules/models"), ".json")) {
    if (path.filename() == "schema.json" || path.filename() == "python_std.json") continue;
    const Json file = Json::parse(read_file(path));
    for (const Json& model : file.value("models", Json::array())) {
      if (model["kind"] != "environment") add(model["name"]);
      for (const Json& alias : model.value("aliases", Json::array())) add(alias);
    }
    const Json roles = file.value("roles", Json::object());
    for (const auto& [role, functions] : roles.items())
      for (const Json& function : functions) add(function.is_string() ? function : function["name"]);
  }
  found.erase("");
  return found;
}

// Whether a dot stands between two names.
bool is_dotted(const std::string& literal) {
  const auto is_letter = [](char c) { return std::isalpha(static_cast<unsigned char>(c)) != 0 || c == '_'; };
  for (size_t dot = literal.find('.', 1); dot != literal.npos; dot = literal.find('.', dot + 1)) {
    const bool behind = dot + 1 < literal.size() && is_letter(literal[dot + 1]);
    size_t begin = dot;
    while (begin > 0 && (is_letter(literal[begin - 1]) || std::isdigit(static_cast<unsigned char>(literal[begin - 1]))))
      --begin;
    if (behind && begin < dot && is_letter(literal[begin])) return true;
  }
  return false;
}

// A sentence, or code in one, that is shown.
bool is_shown(const std::string& literal) { return literal.find_first_of(" `(=") != literal.npos; }

bool names_a_library(const std::string& literal, const std::set<std::string>& packages) {
  return packages.contains(literal) || packages.contains(root_of(literal)) || is_dotted(literal);
}

std::vector<Line> lines_that_name_libraries(const std::vector<Line>& sources) {
  static const std::set<std::string> kPackages = packages();
  std::vector<Line> found;
  for (const Line& line : sources) {
    const std::vector<std::string> literals = literals_in(line.text);
    const bool is_rule = line.path.starts_with("rules/");
    if (is_general(line.path) && std::ranges::any_of(literals, [&](const std::string& literal) {
          return names_a_library(literal, kPackages) && !(is_rule && is_shown(literal));
        }))
      found.push_back(line);
  }
  return found;
}

}  // namespace

TEST_CASE("below analyzer/ and rules/ no library and no dotted name stands in the code") {
  std::vector<std::string> named;
  for (const Line& line : lines_that_name_libraries(lines_of_sources(lines_of_repository())))
    named.push_back(describe(line));
  CHECK(named == std::vector<std::string>{});
}

TEST_CASE("a library's name and a dotted name are found, other words are not") {
  const auto finds = [](const std::string& text) {
    return lines_that_name_libraries({{"analyzer/summary/x.cpp", 1, text}}).size() == 1;
  };
  CHECK(finds("if (name == \"torch.load\") return true;"));
  CHECK(finds("if (owner == \"torch\") return true;"));
  CHECK(finds("name.starts_with(\"megatron.core.\")"));
  CHECK(finds("name.starts_with(\"torch.\")"));
  CHECK(finds("name.ends_with(\".WORLD.group_name\")"));
  CHECK(finds("f(\"a\", \"os.path\")"));
  CHECK_FALSE(finds("if (name == \"forward\") return true;"));
  CHECK_FALSE(finds("text += \"...\";"));
  CHECK_FALSE(finds("text += \"the end. \";"));
  CHECK_FALSE(finds("#include \"analyzer/ir/ir.h\""));
  const auto finds_in_rule = [](const std::string& text) {
    return lines_that_name_libraries({{"rules/x/x.cpp", 1, text}}).size() == 1;
  };
  CHECK(finds_in_rule("constexpr std::string_view kMaker = \"torch.load\";"));
  CHECK(finds_in_rule("if (name.starts_with(\"torch.\" + rest) || owner == \"torch\") return;"));
  CHECK_FALSE(finds_in_rule("finding.help = \"call torch.load() once\";"));
  CHECK(lines_that_name_libraries({{"frontends/python/x.cpp", 1, "\"torch.load\""}}).empty());
}

}  // namespace ranklint::test
