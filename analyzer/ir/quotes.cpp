#include "analyzer/ir/quotes.h"

#include <algorithm>
#include <optional>

#include "analyzer/base/line_index.h"

namespace ranklint::ir {
namespace {

constexpr size_t kLongest = 72;
constexpr std::string_view kCut = " ...";

bool is_space(char c) { return c == ' ' || c == '\t' || c == '\n' || c == '\r'; }

// On one line, with one space for what separates its words. Empty: not fit for a message.
std::string on_one_line(std::string_view source) {
  if (source.find('`') != source.npos) return {};
  const bool has_lines = source.find('\n') != source.npos;
  if (has_lines &&
      (source.find('#') != source.npos || source.find("//") != source.npos || source.find('\\') != source.npos))
    return {};
  std::string text;
  for (const char c : source) {
    if (!is_space(c))
      text += c;
    else if (!text.empty() && text.back() != ' ')
      text += ' ';
  }
  if (!text.empty() && text.back() == ' ') text.pop_back();
  return text;
}

// Its first words, where it is too long for a message.
std::string shortened(std::string_view text) {
  if (text.size() <= kLongest) return std::string(text);
  const auto continues_character = [](char c) { return (static_cast<unsigned char>(c) & 0xC0) == 0x80; };
  size_t end = kLongest - kCut.size();
  while (end > 0 && continues_character(text[end])) --end;
  if (const size_t space = text.rfind(' ', end); space != text.npos && space > end / 2) end = space;
  return std::string(text.substr(0, end)) + std::string(kCut);
}

// `(a == b)` without its parentheses, where they belong together.
std::string_view without_parentheses(std::string_view text) {
  while (text.size() >= 2 && text.front() == '(' && text.back() == ')') {
    int depth = 0;
    for (size_t i = 0; i + 1 < text.size(); ++i) {
      depth += text[i] == '(' ? 1 : text[i] == ')' ? -1 : 0;
      if (depth == 0) return text;
    }
    text = text.substr(1, text.size() - 2);
  }
  return text;
}

std::string_view text_of(std::string_view bytes, const LineIndex& lines, const SourceRange& range) {
  const std::optional<size_t> from = lines.offset(range.line, range.column),
                              to = lines.offset(range.end_line, range.end_column);
  return from && to && *from <= *to && *to <= bytes.size() ? bytes.substr(*from, *to - *from) : std::string_view();
}

bool is_relation(const Function& f, ExprId value) {
  if (!f.exprs.contains(value)) return false;
  const ExprKind kind = f.exprs[value].kind;
  return kind == ExprKind::Binary || kind == ExprKind::And || kind == ExprKind::Or || kind == ExprKind::Unary;
}

}  // namespace

void quote_conditions(Module& module, std::string_view bytes) {
  const LineIndex lines(bytes);
  module.quotes.clear();
  for (const Function& f : module.functions)
    for (const Block& block : f.blocks) {
      const Terminator& end = block.terminator;
      if ((end.kind != TerminatorKind::Branch && end.kind != TerminatorKind::Iterate) || !end.range.known()) continue;
      const std::string line = on_one_line(text_of(bytes, lines, end.range));
      std::string text = shortened(without_parentheses(line));
      if (!text.empty()) module.quotes.push_back({end.range, std::move(text), is_relation(f, end.value)});
    }
  const auto by_range = [](const Quote& a, const Quote& b) { return a.range < b.range; };
  const auto same_range = [](const Quote& a, const Quote& b) { return a.range == b.range; };
  std::sort(module.quotes.begin(), module.quotes.end(), by_range);
  module.quotes.erase(std::unique(module.quotes.begin(), module.quotes.end(), same_range), module.quotes.end());
  module.quotes.shrink_to_fit();
}

const Quote* quote_of(const Module& module, const SourceRange& range) {
  const auto found = std::lower_bound(module.quotes.begin(), module.quotes.end(), range,
                                      [](const Quote& q, const SourceRange& r) { return q.range < r; });
  return found != module.quotes.end() && found->range == range ? &*found : nullptr;
}

}  // namespace ranklint::ir
