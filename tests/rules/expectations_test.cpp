#include <catch2/catch.hpp>

#include <algorithm>
#include <set>

#include "tests/rules/cases.h"
#include "tests/rules/expectations.h"

namespace ranklint::test {

namespace {

std::vector<Expectation> parse(std::string_view text) {
  std::vector<std::string> malformed;
  std::vector<Expectation> found = parse_expectations("a.py", text, malformed);
  CHECK(malformed.empty());
  return found;
}

std::vector<std::string> complaints_about(std::string_view text) {
  std::vector<std::string> malformed;
  parse_expectations("a.py", text, malformed);
  return malformed;
}

}  // namespace

TEST_CASE("an expectation names the rule and a fragment on the finding's line") {
  const std::vector<Expectation> found = parse("import x\nx.barrier()  # expect: [divergent-root] \"`broadcast`\"\n");
  REQUIRE(found.size() == 1);
  CHECK(found[0] == Expectation{Expectation::Kind::Finding, "a.py", 2, "divergent-root", "`broadcast`"});
}

TEST_CASE("a line may expect several findings and notes") {
  const std::vector<Expectation> found = parse("f()  # expect: [a]  # expect: [b] \"x\"  # expect-note: \"rank 0\"");
  REQUIRE(found.size() == 3);
  CHECK(found[0] == Expectation{Expectation::Kind::Finding, "a.py", 1, "a", ""});
  CHECK(found[1] == Expectation{Expectation::Kind::Finding, "a.py", 1, "b", "x"});
  CHECK(found[2] == Expectation{Expectation::Kind::Note, "a.py", 1, "", "rank 0"});
}

TEST_CASE("a line may say why it is silent") {
  const std::vector<Expectation> found =
      parse("f()  # silent: [takes-turns, met-before]  # expect: [a]\ng()  # silent: it waits");
  REQUIRE(found.size() == 2);
  CHECK(found[0] == Expectation{Expectation::Kind::Silence, "a.py", 1, "takes-turns, met-before", ""});
  CHECK(found[1].kind == Expectation::Kind::Finding);
  CHECK(without_expectations("f()  # silent: [takes-turns]") == "f()");
}

TEST_CASE("a misspelt expectation is a complaint and not silence") {
  CHECK(complaints_about("f()  # expect [a]").size() == 1);
  CHECK(complaints_about("f()  # expect: a \"x\"").size() == 1);
  CHECK(complaints_about("f()  # expect: [a] \"x").size() == 1);
  CHECK(complaints_about("f()  # expect: []").size() == 1);
  CHECK(complaints_about("f()  # expect: [a] x").size() == 1);
  CHECK(complaints_about("f()  # expected by all ranks").size() == 1);
}

TEST_CASE("a line without its expectations is the line that was written") {
  CHECK(without_expectations("    f()  # expect: [a] \"x\"") == "    f()");
  CHECK(without_expectations("    f()  # all ranks") == "    f()  # all ranks");
  CHECK(without_expectations("# expect: [a]").empty());
}

TEST_CASE("a page's blocks know where they stand") {
  const std::vector<Case> cases = page_cases(PageSection::Bad);
  REQUIRE_FALSE(cases.empty());
  for (const Case& c : cases) {
    INFO(c.name);
    REQUIRE(c.files.size() == 1);
    CHECK(c.files[0].line_offset > 0);
    CHECK_FALSE(c.files[0].text.empty());
  }
}

TEST_CASE("every expectation in the fixtures and pages can be read") {
  std::vector<Case> cases = fixture_cases();
  for (auto more : {lookalike_cases(), page_cases(PageSection::Bad), page_cases(PageSection::Good)})
    cases.insert(cases.end(), more.begin(), more.end());
  std::vector<std::string> malformed;
  for (const Case& c : cases)
    for (const CaseFile& file : c.files) parse_expectations(c.name + "/" + file.path, file.text, malformed);
  CHECK(malformed == std::vector<std::string>{});
}

namespace {

// The innermost function whose name carries a verdict (`_bad`, `_ok`, `_fp`, `_fn`), per line; "" outside.
struct Verdict {
  std::string function;
  size_t indentation = 0;
};

std::string suffix_of(const std::string& function) {
  const size_t at = function.rfind('_');
  return at == std::string::npos ? "" : function.substr(at);
}

bool is_verdict(const std::string& suffix) {
  return suffix == "_bad" || suffix == "_ok" || suffix == "_fp" || suffix == "_fn";
}

std::string defined_name(std::string_view line) {
  const size_t at = line.find("def ");
  if (at == std::string_view::npos || line.substr(0, at).find_first_not_of(" acnsy") != std::string_view::npos)
    return "";
  return std::string(line.substr(at + 4, line.find('(', at) - at - 4));
}

// How many findings each function with a verdict expects, in order of appearance.
std::vector<std::pair<std::string, size_t>> expected_per_function(const CaseFile& file) {
  std::vector<std::pair<std::string, size_t>> counts;
  std::vector<std::string> malformed;
  const std::vector<Expectation> expectations = parse_expectations(file.path, file.text, malformed);
  std::vector<Verdict> open;
  std::vector<size_t> open_index;
  uint32_t number = 0;
  for (std::string_view line : lines_of(file.text)) {
    ++number;
    const size_t indentation = line.find_first_not_of(' ');
    if (indentation == std::string_view::npos) continue;
    const std::string name = defined_name(line);
    // A closing bracket at the function's own indentation still belongs to its head.
    while (!open.empty() && indentation <= open.back().indentation && line[indentation] != ')') {
      open.pop_back();
      open_index.pop_back();
    }
    if (is_verdict(suffix_of(name))) {
      open.push_back({name, indentation});
      open_index.push_back(counts.size());
      counts.emplace_back(name, 0);
    }
    for (const Expectation& e : expectations)
      if (e.line == number && e.kind == Expectation::Kind::Finding && !open.empty()) ++counts[open_index.back()].second;
  }
  return counts;
}

}  // namespace

TEST_CASE("a function's name says whether it expects a finding") {
  std::set<std::string> suffixes;
  for (const Case& c : fixture_cases())
    for (const CaseFile& file : c.files)
      for (const auto& [function, count] : expected_per_function(file)) {
        const std::string suffix = suffix_of(function);
        INFO(file.origin.string() << ": " << function);
        suffixes.insert(suffix);
        if (suffix == "_bad" || suffix == "_fp") CHECK(count > 0);
        if (suffix == "_ok" || suffix == "_fn") CHECK(count == 0);
      }
  CHECK(suffixes.count("_bad") + suffixes.count("_ok") == 2);
}

TEST_CASE("a look-alike expects nothing") {
  for (const Case& c : lookalike_cases())
    for (const CaseFile& file : c.files) {
      INFO(file.origin.string());
      CHECK(file.text.find("# expect") == std::string::npos);
    }
}

}  // namespace ranklint::test
