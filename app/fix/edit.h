// Changes of a text, by byte ranges: what they do not cover stays as it is, to the byte.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "analyzer/base/source_range.h"

namespace ranklint::app {

// [begin, end) becomes `text`; an insertion has begin == end.
struct Edit {
  size_t begin = 0;
  size_t end = 0;
  std::string text;
  friend auto operator<=>(const Edit&, const Edit&) = default;
};

// Two edits clash when they share a byte, or insert at one place.
bool clash(const Edit& a, const Edit& b);

// `edits` in any order; no two may clash and none may reach beyond the text.
std::string with_edits(std::string_view text, std::vector<Edit> edits);

// The bytes of a range of the analysis; nothing when it is unknown or lies outside of the text.
std::optional<std::pair<size_t, size_t>> bytes_of(std::string_view text, const SourceRange& range);

// The end of the line that holds the byte: before its "\n" or "\r\n".
size_t line_end(std::string_view text, size_t at);
size_t line_begin(std::string_view text, size_t at);

// What `diff -u` would show, with three lines around each change; empty when the texts are the same.
std::string unified_diff(const std::string& path, std::string_view before, std::string_view after);

}  // namespace ranklint::app
