// A range of a source file, as the user sees it.
#pragma once

#include <compare>
#include <cstdint>
#include <tuple>

namespace ranklint {

// Lines and columns count from 1. Columns count bytes of the file as stored; reports turn them into what
// their format wants (UTF-16 units, code points). The end is exclusive: the first byte after the range.
// A range whose `line` is 0 is unknown.
struct SourceRange {
  uint32_t line = 0;
  uint32_t column = 0;
  uint32_t end_line = 0;
  uint32_t end_column = 0;

  bool known() const { return line != 0; }
  bool contains(const SourceRange& inner) const {
    return std::tie(line, column) <= std::tie(inner.line, inner.column) &&
           std::tie(inner.end_line, inner.end_column) <= std::tie(end_line, end_column);
  }
  friend auto operator<=>(const SourceRange&, const SourceRange&) = default;
};

}  // namespace ranklint
