// Places in a text: as bytes, as the analysis counts them, and as a client does.
//
// A client's lines end at "\n", "\r\n" or "\r" and its characters are counted in the encoding agreed on; the analysis's
// lines end at "\n" alone, from 1, and its columns are bytes, from 1. Both meet in the byte offset.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/base/line_index.h"
#include "analyzer/base/source_range.h"

namespace ranklint::app::lsp {

enum class Encoding { Utf8, Utf16, Utf32 };

struct Position {
  uint32_t line = 0, character = 0;
  friend auto operator<=>(const Position&, const Position&) = default;
};

// Half open.
struct Span {
  size_t begin = 0, end = 0;
};

// Views the text.
class TextLines {
 public:
  explicit TextLines(std::string_view text);

  // A position past the end of a line is the end of that line, as the protocol has it; inside a character: its start.
  size_t offset(Position position, Encoding encoding) const;
  Position position(size_t offset, Encoding encoding) const;
  // The bytes of a range of the analysis. One without an end, or of no length, is the rest of its line.
  Span span(const SourceRange& range) const;
  // And back.
  SourceRange range(Span span) const { return source_lines_.range(span.begin, span.end); }
  size_t line_end(size_t offset) const;
  std::string_view text() const { return text_; }

 private:
  std::string_view text_;
  std::vector<size_t> starts_;  // of a client's lines
  LineIndex source_lines_;      // the analysis's
};

// Where bytes of an old text lie in a new one: what stands before the first and after the last difference stays; what
// stands between is gone, and has the place of the change.
class Relocation {
 public:
  Relocation(std::string_view before, std::string_view now);
  bool same() const { return same_; }
  Span operator()(Span before) const;

 private:
  size_t moved(size_t offset, bool is_end) const;
  size_t before_, now_, prefix_, suffix_ = 0;
  bool same_;
};

}  // namespace ranklint::app::lsp
