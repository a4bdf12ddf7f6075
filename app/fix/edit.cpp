#include "app/fix/edit.h"

#include <algorithm>

#include "analyzer/base/check.h"

namespace ranklint::app {

namespace {

// The byte where a line begins; nothing when the text has fewer lines.
std::optional<size_t> begin_of(std::string_view text, uint32_t line) {
  size_t at = 0;
  for (uint32_t i = 1; i < line; ++i) {
    at = text.find('\n', at);
    if (at == std::string_view::npos) return std::nullopt;
    ++at;
  }
  return at;
}

std::optional<size_t> place(std::string_view text, uint32_t line, uint32_t column) {
  const std::optional<size_t> begin = begin_of(text, line);
  if (!begin || column == 0) return std::nullopt;
  const size_t at = *begin + column - 1;
  if (at > std::min(text.find('\n', *begin), text.size())) return std::nullopt;
  return at;
}

}  // namespace

bool clash(const Edit& a, const Edit& b) {
  if (a.begin == b.begin) return true;
  return a.begin < b.end && b.begin < a.end;
}

std::string with_edits(std::string_view text, std::vector<Edit> edits) {
  std::sort(edits.begin(), edits.end());
  std::string out;
  size_t at = 0;
  for (const Edit& edit : edits) {
    RANKLINT_CHECK(at <= edit.begin && edit.begin <= edit.end && edit.end <= text.size(),
                   "edits clash or reach beyond the text");
    out.append(text.substr(at, edit.begin - at)).append(edit.text);
    at = edit.end;
  }
  return out.append(text.substr(at));
}

std::optional<std::pair<size_t, size_t>> bytes_of(std::string_view text, const SourceRange& range) {
  if (!range.known() || range.end_line == 0) return std::nullopt;
  const std::optional<size_t> begin = place(text, range.line, range.column);
  const std::optional<size_t> end = place(text, range.end_line, range.end_column);
  if (!begin || !end || *end < *begin) return std::nullopt;
  return std::pair(*begin, *end);
}

size_t line_end(std::string_view text, size_t at) {
  const size_t end = std::min(text.find('\n', at), text.size());
  return end > at && text[end - 1] == '\r' && end < text.size() ? end - 1 : end;
}

size_t line_begin(std::string_view text, size_t at) {
  const size_t before = at == 0 ? std::string_view::npos : text.rfind('\n', at - 1);
  return before == std::string_view::npos ? 0 : before + 1;
}

}  // namespace ranklint::app
