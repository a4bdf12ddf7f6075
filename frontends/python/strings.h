// Where strings end, for what reads Python without a parser.
#pragma once

#include <cstddef>
#include <optional>
#include <string_view>

namespace ranklint::python {

class StringReader {
 public:
  explicit StringReader(std::string_view text) : text_(text) {}

  // The end of the string whose first quote is at `at`. One of three quotes that is not closed takes the rest of the
  // text, another the rest of its line. In a formatted one (f"", t"") the expressions in braces may have strings with
  // the same quotes (PEP 701), until a brace is met that is not closed: from then on braces are text, so that no text
  // is read more than twice.
  size_t end_of(size_t at) { return end_of(at, 0); }

 private:
  size_t end_of(size_t at, int depth);
  std::optional<size_t> end_of_field(size_t at, std::string_view end, int depth);
  std::optional<size_t> end_of_format(size_t at, std::string_view end, int depth);

  std::string_view text_;
  bool broken_ = false;
};

}  // namespace ranklint::python
