#include "tests/analysis/case.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <regex>

#include "analyzer/ir/parse.h"
#include "analyzer/ir/scanner.h"
#include "analyzer/ir/verify.h"
#include "tests/support/support.h"

namespace ranklint::test {

namespace {

const std::set<std::string>& known_kinds() {
  static const std::set<std::string> kKinds{"uniformity", "summary", "path",     "walk",
                                            "divergence", "failure", "messages", "execution"};
  return kKinds;
}

std::string_view trimmed(std::string_view text) {
  const size_t first = text.find_first_not_of(" \t");
  if (first == text.npos) return {};
  return text.substr(first, text.find_last_not_of(" \t") + 1 - first);
}

std::vector<std::string> parts_of(std::string_view list, char separator) {
  std::vector<std::string> parts;
  while (!list.empty()) {
    const size_t end = std::min(list.find(separator), list.size());
    if (const std::string_view part = trimmed(list.substr(0, end)); !part.empty()) parts.emplace_back(part);
    list.remove_prefix(std::min(end + 1, list.size()));
  }
  return parts;
}

class Reader {
 public:
  explicit Reader(AnalysisCase& c) : c_(c) {}

  void read() {
    uint32_t number = 0;
    for (std::string_view rest = c_.text; !rest.empty();) {
      const size_t end = std::min(rest.find('\n'), rest.size());
      take(rest.substr(0, end), ++number);
      rest.remove_prefix(std::min(end + 1, rest.size()));
    }
    if (c_.kinds.empty()) fail(1, "expected a line `; check: KINDS`");
  }

 private:
  [[noreturn]] void fail(uint32_t line, const std::string& what) const {
    FAIL(c_.path << ":" << line << ": " << what);
    std::abort();
  }

  void take(std::string_view raw, uint32_t number) {
    const size_t end = end_of_code(raw);
    const std::string_view comment = trimmed(raw.substr(end));
    if (end != 0) {
      take_code(trimmed(raw.substr(0, end)), number);
      last_code_ = number;
      if (!comment.empty()) take_facts(comment.substr(1));
    } else if (comment.starts_with(";^")) {
      if (last_code_ == 0) fail(number, "there is no line above");
      take_facts(comment.substr(2));
    } else if (comment.starts_with("; check:")) {
      for (const std::string& kind : parts_of(comment.substr(8), ',')) {
        if (!known_kinds().count(kind)) fail(number, "unknown kind of facts `" + kind + "`");
        c_.kinds.insert(kind);
      }
    } else if (comment.starts_with("; walk:")) {
      take_walk(std::string(comment), number);
    } else if (comment.starts_with("; run:")) {
      c_.runs.push_back({number, std::string(trimmed(comment.substr(6)))});
    }
  }

  void take_facts(std::string_view facts) {
    for (std::string& text : parts_of(facts, ';')) c_.stated.push_back({last_code_, std::move(text)});
  }

  void take_walk(const std::string& comment, uint32_t number) {
    static const std::regex kWalk(R"(; walk: (\S+) on (.+) as (\d+) and (\d+))");
    std::smatch match;
    if (!std::regex_match(comment, match, kWalk)) fail(number, "expected `; walk: FUNCTION on GROUP as RANK and RANK`");
    const auto rank = [&](size_t group) { return static_cast<uint32_t>(std::stoul(match[group])); };
    c_.walks.push_back({number, match[1], match[2], rank(3), rank(4)});
  }

  // The text form has one thing on a line, so counting lines is enough.
  void take_code(std::string_view code, uint32_t number) {
    if (code == "}") {
      in_function_ = false;
    } else if (code.starts_with("func ") || code.starts_with("async func ")) {
      c_.lines.push_back({number, {}});
      in_function_ = true;
    } else if (in_function_ && code.starts_with('^')) {
      c_.lines.back().blocks.push_back({number, {}});
    } else if (in_function_ && !c_.lines.back().blocks.empty()) {
      c_.lines.back().blocks.back().code.push_back(number);
    }
  }

  AnalysisCase& c_;
  uint32_t last_code_ = 0;
  bool in_function_ = false;
};

SourceRange range_of(uint32_t line) { return {line, 1, line, 2}; }

// Gives everything the line on which it stands in the file.
void set_ranges(AnalysisCase& c) {
  REQUIRE(c.lines.size() == c.module.functions.size());
  for (uint32_t f = 0; f < c.lines.size(); ++f) {
    ir::Function& function = c.module.functions[ir::FunctionId{f}];
    const FunctionLines& lines = c.lines[f];
    REQUIRE(lines.blocks.size() == function.blocks.size());
    function.name_range = range_of(lines.head);
    function.range = {lines.head, 1, lines.blocks.empty() ? lines.head : lines.blocks.back().code.back(), 2};
    for (uint32_t b = 0; b < lines.blocks.size(); ++b) {
      ir::Block& block = function.blocks[ir::BlockId{b}];
      REQUIRE(lines.blocks[b].code.size() == block.instructions.size() + 1);
      const std::vector<uint32_t>& code = lines.blocks[b].code;
      for (size_t i = 0; i < block.instructions.size(); ++i) block.instructions[i].range = range_of(code[i]);
      block.terminator.range = range_of(code.back());
    }
  }
}

}  // namespace

size_t end_of_code(std::string_view raw_line) {
  const std::vector<ir::Line> lines = ir::split_lines(raw_line);
  return lines.empty() ? 0 : lines[0].first_column - 1 + lines[0].text.size();
}

AnalysisCase read_case(const std::string& path) {
  AnalysisCase c;
  c.path = path;
  c.text = read_file(source_path(path));
  Result<ir::Module> module = ir::parse(c.text, path);
  if (!module) FAIL(path << ":" << module.error().line << ": " << module.error().message);
  c.module = std::move(module).value();
  for (const std::string& broken : ir::verify(c.module)) FAIL(path << ": " << broken);
  c.module.path = path;
  Reader(c).read();
  set_ranges(c);
  return c;
}

}  // namespace ranklint::test
