#include "app/report/source_text.h"

#include <algorithm>

#include "app/report/unicode.h"

namespace ranklint::report {

std::string_view SourceText::line(uint32_t line) const {
  if (!has_line(line)) return {};
  const size_t start = *lines_.offset(line, 1);
  std::string_view text = bytes_.substr(start, bytes_.find('\n', start) - start);
  if (text.ends_with('\r')) text.remove_suffix(1);
  return text;
}

const SourceText& Sources::file(const std::string& path) {
  const auto found = files_.find(path);
  if (found != files_.end()) return found->second;
  return files_.emplace(path, SourceText(provider_ ? provider_(path) : std::string_view())).first->second;
}

// A column past the line's end keeps its distance from it.
static uint32_t convert(std::string_view line, uint32_t column, ColumnUnit unit) {
  if (column == 0) return 1;
  const size_t before = column - 1;
  const size_t inside = std::min(before, line.size());
  const std::string_view front = line.substr(0, inside);
  const size_t units = unit == ColumnUnit::Utf16 ? count_utf16_units(front) : count_code_points(front);
  return static_cast<uint32_t>(units + (before - inside) + 1);
}

SourceRange Sources::in_unit(const Location& location, ColumnUnit unit) {
  const SourceRange& range = location.range;
  if (!range.known()) return {};
  const SourceText& text = file(location.path);
  SourceRange out{range.line, convert(text.line(range.line), range.column, unit), 0, 0};
  if (range.end_line < range.line || range.end_column == 0) return out;
  const uint32_t end_column = convert(text.line(range.end_line), range.end_column, unit);
  if (range.end_line == range.line && end_column < out.column) return out;
  out.end_line = range.end_line;
  out.end_column = end_column;
  return out;
}

std::string Sources::place(const Location& location) {
  const SourceRange range = in_unit(location, ColumnUnit::CodePoint);
  std::string out = printable(location.path);
  if (range.known()) out += ":" + std::to_string(range.line) + ":" + std::to_string(range.column);
  return out;
}

}  // namespace ranklint::report
