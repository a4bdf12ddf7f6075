// Every file in testdata/ir/ is sound and prints as it is written, but for its comments.
#include <catch2/catch.hpp>

#include "analyzer/ir/equal.h"
#include "analyzer/ir/print.h"
#include "analyzer/ir/scanner.h"
#include "tests/ir/ir_text.h"
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

TEST_CASE("a text prints as it was written") {
  for (const auto& path : files_below(source_path("testdata/ir"), ".ir")) {
    INFO(path.string());
    const std::string text = read_file(path);
    CHECK(ir::print(parsed(text)) == without_comments(text));
  }
}

TEST_CASE("a printed module parses back to the same module") {
  for (const auto& path : files_below(source_path("testdata/ir"), ".ir")) {
    INFO(path.string());
    const ir::Module module = parsed(read_file(path));
    CHECK(ir::difference(module, parsed(ir::print(module))) == "");
  }
}

TEST_CASE("the files of testdata/ir are sound") {
  for (const auto& path : files_below(source_path("testdata/ir"), ".ir")) {
    INFO(path.string());
    CHECK(joined(ir::verify(parsed(read_file(path)))) == "");
  }
}

}  // namespace ranklint::test
