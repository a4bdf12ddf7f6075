// This repository's own files, as the tests of its layers read them.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace ranklint::test {

struct Line {
  std::string path;  // relative to the repository's root
  size_t number = 0;
  std::string text;
};

// "analyzer/ir/ir.h:12: text", for a failed test to show.
std::string describe(const Line& line);

// Every line of every file that is ours: no build tree, no installed package, nothing binary. In path order.
std::vector<Line> lines_of_repository();

// Those of the C++ sources that a binary is made of (no test, no testdata), with comments cut off.
std::vector<Line> lines_of_sources(const std::vector<Line>& all);

// Whether it is a source of the analysis or of rules that is about no library and no notation as a whole.
bool is_general(std::string_view path);

// `"analyzer/ir/ir.h"` or `<vector>` as written in an #include line; empty for any other line.
std::string_view included(std::string_view line);

// The texts of string literals in a line; none of an #include.
std::vector<std::string> literals_in(const std::string& line);

}  // namespace ranklint::test
