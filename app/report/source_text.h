// The files that a report quotes: their lines, and columns in the unit that a format wants.
#pragma once

#include <cstdint>
#include <functional>
#include <map>
#include <string>
#include <string_view>

#include "analyzer/base/line_index.h"
#include "rules/finding.h"

namespace ranklint::report {

using SourceProvider = std::function<std::string_view(const std::string& path)>;

// One file, cut into lines at "\n"; a "\r" before it is no part of the line. A file that is not there has none.
class SourceText {
 public:
  explicit SourceText(std::string_view bytes) : bytes_(bytes), lines_(bytes) {}

  std::string_view bytes() const { return bytes_; }
  uint32_t line_count() const { return lines_.count() - (bytes_.empty() || bytes_.ends_with('\n') ? 1 : 0); }
  bool has_line(uint32_t line) const { return line >= 1 && line <= line_count(); }
  // Empty for a line that is not there.
  std::string_view line(uint32_t line) const;
  // Bytes [begin, end) as a range with columns in bytes; the file must have them.
  SourceRange range(size_t begin, size_t end) const { return lines_.range(begin, end); }

 private:
  std::string_view bytes_;
  LineIndex lines_;
};

enum class ColumnUnit { CodePoint, Utf16 };

// Every file once, by its path.
class Sources {
 public:
  explicit Sources(const SourceProvider& provider) : provider_(provider) {}

  const SourceText& file(const std::string& path);

  // The location's range with its columns, in bytes, turned into another unit. Where the file or the line is
  // gone a byte counts as one. An end that is unknown or before the start becomes 0.
  SourceRange in_unit(const Location& location, ColumnUnit unit);

  // "train/wan.py:353:31" in code points, as editors count; as much of it as is known.
  std::string place(const Location& location);

 private:
  const SourceProvider& provider_;
  std::map<std::string, SourceText> files_;
};

}  // namespace ranklint::report
