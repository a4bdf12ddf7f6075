// Every file in testdata/ir/ is sound and prints as it is written, but for its comments. Each is a case.
#include <catch2/catch.hpp>

#include "analyzer/ir/equal.h"
#include "analyzer/ir/print.h"
#include "analyzer/ir/scanner.h"
#include "tests/ir/ir_text.h"
#include "tests/support/file_cases.h"
#include "tests/support/support.h"

namespace ranklint::test {

// Empty lines stay, lines that hold only a comment go.
static std::string without_comments(const std::string& text) {
  std::string out;
  std::string_view rest = text;
  while (!rest.empty()) {
    const std::string_view line = rest.substr(0, rest.find('\n'));
    rest.remove_prefix(std::min(line.size() + 1, rest.size()));
    const std::vector<ir::Line> code = ir::split_lines(line);
    if (code.empty() && !line.empty()) continue;
    if (!code.empty()) out += std::string(code[0].first_column - 1, ' ') + std::string(code[0].text);
    out += "\n";
  }
  return out;
}

static void check_file(const std::string& path) {
  const std::string text = read_file(source_path(path));
  const ir::Module module = parsed(text);
  CHECK(joined(ir::verify(module)) == "");
  CHECK(ir::print(module) == without_comments(text));
  CHECK(ir::difference(module, parsed(ir::print(module))) == "");
}

static const bool kAdded = add_cases_below("testdata/ir", ".ir", check_file);

// The ```ir blocks of a page.
static std::vector<std::string> examples_of(const std::string& page) {
  static constexpr std::string_view kFence = "\n```ir\n";
  std::vector<std::string> out;
  for (size_t at = page.find(kFence); at != std::string::npos; at = page.find(kFence, at)) {
    at += kFence.size();
    out.push_back(page.substr(at, page.find("```", at) - at));
  }
  return out;
}

TEST_CASE("the examples of docs/ir.md are sound and print as they are written") {
  const std::vector<std::string> examples = examples_of(read_file(source_path("docs/ir.md")));
  CHECK(examples.size() == 3);
  for (const std::string& text : examples) {
    CHECK(ir::print(parsed(text)) == without_comments(text));
    CHECK(joined(ir::verify(parsed(text))) == "");
  }
}

}  // namespace ranklint::test
