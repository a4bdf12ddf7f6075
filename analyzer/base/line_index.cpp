#include "analyzer/base/line_index.h"

#include <algorithm>

namespace ranklint {

LineIndex::LineIndex(std::string_view text) {
  for (size_t end = text.find('\n'); end != text.npos; end = text.find('\n', end + 1))
    starts_.push_back(static_cast<uint32_t>(end + 1));
}

uint32_t LineIndex::line_of(size_t offset) const {
  return static_cast<uint32_t>(std::upper_bound(starts_.begin(), starts_.end(), offset) - starts_.begin());
}

SourceRange LineIndex::range(size_t begin, size_t end) const {
  const uint32_t first = line_of(begin), last = line_of(end);
  return {first, static_cast<uint32_t>(begin - starts_[first - 1] + 1), last,
          static_cast<uint32_t>(end - starts_[last - 1] + 1)};
}

std::optional<size_t> LineIndex::offset(uint32_t line, uint32_t column) const {
  if (line == 0 || line > starts_.size() || column == 0) return std::nullopt;
  return size_t{starts_[line - 1]} + column - 1;
}

}  // namespace ranklint
