// Between offsets in a text and lines with columns, in both directions.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "analyzer/base/source_range.h"

namespace ranklint {

// Of a text of less than 4 GiB. Offsets and columns count bytes; only "\n" ends a line.
class LineIndex {
 public:
  LineIndex() = default;
  explicit LineIndex(std::string_view text);

  // From the byte `begin` to the byte `end`, which may be the size of the text.
  SourceRange range(size_t begin, size_t end) const;
  // Of the lines, one after a last "\n" included; an empty text has one.
  uint32_t count() const { return static_cast<uint32_t>(starts_.size()); }
  // None: the text has no such line. The column may lie beyond the end of its line.
  std::optional<size_t> offset(uint32_t line, uint32_t column) const;

 private:
  uint32_t line_of(size_t offset) const;

  std::vector<uint32_t> starts_ = {0};  // of the lines
};

}  // namespace ranklint
