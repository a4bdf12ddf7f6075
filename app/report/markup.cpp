#include "app/report/markup.h"

#include "app/report/text_layout.h"
#include "app/report/unicode.h"

namespace ranklint::report {

namespace {

std::string_view entity_of(char c) {
  switch (c) {
    case '<': return "&lt;";
    case '>': return "&gt;";
    case '&': return "&amp;";
    case '"': return "&quot;";
    case '\'': return "&#39;";
    default: return {};
  }
}

// XML 1.0 has no place for these two, even as references.
bool is_no_character(char32_t code) { return code == 0xFFFE || code == 0xFFFF; }

}  // namespace

std::string markup(std::string_view text) {
  const std::string clean = printable(text);
  std::string out;
  for (std::string_view rest = clean; !rest.empty();) {
    const Character c = first_character(rest);
    if (const std::string_view entity = entity_of(rest.front()); !entity.empty())
      out += entity;
    else if (is_no_character(c.code))
      out += "\uFFFD";
    else
      out += rest.substr(0, c.bytes);
    rest.remove_prefix(c.bytes);
  }
  return out;
}

std::string markup_sentence(std::string_view text) {
  std::string out;
  for (const Span& span : sentence(text)) {
    const bool code = span.style == Style::Code;
    const std::string_view words = span.text;
    out += code ? "<code>" + markup(words.substr(1, words.size() - 2)) + "</code>" : markup(words);
  }
  return out;
}

std::string attribute(std::string_view name, std::string_view value) {
  return " " + std::string(name) + "=\"" + markup(value) + "\"";
}

}  // namespace ranklint::report
