#include "frontends/cpp/pragmas.h"

#include <clang/Basic/LangOptions.h>
#include <clang/Basic/SourceLocation.h>
#include <clang/Lex/Lexer.h>

#include "frontends/cpp/trimmed.h"

namespace ranklint::cpp {

namespace {

constexpr std::string_view kAddress = "ranklint:";

// What the comment says to ranklint; empty when it says nothing. A line comment may say something to others first:
// "// NOLINT // ranklint: ...".
std::string_view said_in(std::string_view comment) {
  const bool is_line = comment.starts_with("//");
  for (size_t begin = 0; begin != std::string_view::npos;) {
    std::string_view text = comment.substr(begin + 2);
    if (text.ends_with("*/")) text.remove_suffix(2);
    text = trimmed(text);
    if (text.starts_with(kAddress)) return trimmed(text.substr(kAddress.size()));
    begin = is_line ? comment.find(" //", begin + 2) : std::string_view::npos;
    if (begin != std::string_view::npos) ++begin;
  }
  return {};
}

SourceRange range_of(std::string_view bytes, size_t begin, size_t end) {
  SourceRange range{1, 1, 1, 1};
  size_t line_start = 0;
  for (size_t i = 0; i < begin; ++i)
    if (bytes[i] == '\n') {
      ++range.line;
      line_start = i + 1;
    }
  range.column = static_cast<uint32_t>(begin - line_start + 1);
  range.end_line = range.line;
  range.end_column = range.column + static_cast<uint32_t>(end - begin);
  return range;
}

}  // namespace

std::vector<ir::Pragma> find_pragmas(std::string_view bytes) {
  std::vector<ir::Pragma> pragmas;
  if (bytes.find(kAddress) == std::string_view::npos) return pragmas;
  const std::string text(bytes);  // ends in NUL, as the lexer wants it
  clang::LangOptions language;
  language.CPlusPlus = language.CPlusPlus11 = language.LineComment = true;
  clang::Lexer lexer(clang::SourceLocation(), language, text.data(), text.data(), text.data() + text.size());
  lexer.SetCommentRetentionState(true);
  clang::Token token;
  do {
    lexer.LexFromRawLexer(token);
    if (token.isNot(clang::tok::comment)) continue;
    const size_t end = static_cast<size_t>(lexer.getBufferLocation() - text.data());
    const size_t begin = end - token.getLength();
    const std::string_view said = said_in(std::string_view(text).substr(begin, end - begin));
    if (said.empty()) continue;
    const size_t line_start = text.rfind('\n', begin) + 1;
    const bool own_line = trimmed(std::string_view(text).substr(line_start, begin - line_start)).empty();
    pragmas.push_back({.range = range_of(text, begin, end), .text = std::string(said), .own_line = own_line});
  } while (token.isNot(clang::tok::eof));
  return pragmas;
}

}  // namespace ranklint::cpp
