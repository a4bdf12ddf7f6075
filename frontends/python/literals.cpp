// Strings without their quotes and escapes, numbers without their base.
#include <charconv>
#include <optional>

#include "frontends/python/lowering.h"

namespace ranklint::python {

using ir::ExprId;
using ir::ExprKind;

namespace {

constexpr char32_t kReplacement = 0xFFFD;

void append_utf8(std::string& out, char32_t c) {
  if (c > 0x10FFFF || (c >= 0xD800 && c < 0xE000)) c = kReplacement;
  if (c < 0x80) {
    out += static_cast<char>(c);
  } else if (c < 0x800) {
    out += {static_cast<char>(0xC0 | (c >> 6)), static_cast<char>(0x80 | (c & 0x3F))};
  } else if (c < 0x10000) {
    out += {static_cast<char>(0xE0 | (c >> 12)), static_cast<char>(0x80 | ((c >> 6) & 0x3F)),
            static_cast<char>(0x80 | (c & 0x3F))};
  } else {
    out += {static_cast<char>(0xF0 | (c >> 18)), static_cast<char>(0x80 | ((c >> 12) & 0x3F)),
            static_cast<char>(0x80 | ((c >> 6) & 0x3F)), static_cast<char>(0x80 | (c & 0x3F))};
  }
}

// The length of the well-formed UTF-8 sequence at the start of `text`, 0 if there is none.
size_t utf8_length(std::string_view text) {
  const auto byte = [&](size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return 1;
  const size_t length = byte(0) >= 0xF0 ? 4 : byte(0) >= 0xE0 ? 3 : 2;
  if (byte(0) < 0xC2 || byte(0) > 0xF4 || text.size() < length) return 0;
  for (size_t i = 1; i < length; ++i)
    if ((byte(i) & 0xC0) != 0x80) return 0;
  const bool overlong = (byte(0) == 0xE0 && byte(1) < 0xA0) || (byte(0) == 0xF0 && byte(1) < 0x90);
  const bool too_large = (byte(0) == 0xED && byte(1) >= 0xA0) || (byte(0) == 0xF4 && byte(1) >= 0x90);
  return overlong || too_large ? 0 : length;
}

// Reads up to `most` digits of the base from the front of `text`.
std::optional<char32_t> take_number(std::string_view& text, size_t most, int base) {
  uint32_t value = 0;
  const char* end = text.data() + std::min(most, text.size());
  const auto [at, error] = std::from_chars(text.data(), end, value, base);
  if (error != std::errc() || at == text.data()) return std::nullopt;
  text.remove_prefix(static_cast<size_t>(at - text.data()));
  return value;
}

struct StringPrefix {
  bool raw = false;
  bool bytes = false;
  bool format = false;
};

StringPrefix prefix_of(std::string_view start) {
  StringPrefix prefix;
  for (const char c : start) {
    prefix.raw |= c == 'r' || c == 'R';
    prefix.bytes |= c == 'b' || c == 'B';
    prefix.format |= c == 'f' || c == 'F' || c == 't' || c == 'T';
  }
  return prefix;
}

constexpr std::pair<char, char> kSimpleEscapes[] = {
    {'\\', '\\'}, {'\'', '\''}, {'"', '"'},  {'a', '\a'}, {'b', '\b'},
    {'f', '\f'},  {'n', '\n'},  {'r', '\r'}, {'t', '\t'}, {'v', '\v'},
};

// `text` follows a backslash.
void append_escape(std::string& out, std::string_view& text, bool bytes) {
  const char c = text[0];
  if (c == '\n' || c == '\r') return text.remove_prefix(text.starts_with("\r\n") ? 2 : 1);
  for (const auto& [name, value] : kSimpleEscapes)
    if (name == c) return out += value, text.remove_prefix(1);
  if (c >= '0' && c <= '7') return append_utf8(out, *take_number(text, 3, 8));
  std::string_view rest = text.substr(1);
  const size_t digits = c == 'x' ? 2 : c == 'u' && !bytes ? 4 : c == 'U' && !bytes ? 8 : 0;
  if (digits)
    if (const auto value = take_number(rest, digits, 16)) return append_utf8(out, *value), void(text = rest);
  out += '\\';  // not an escape, as `\N{...}`, whose names we do not know
}

void append_content(std::string& out, std::string_view text, StringPrefix prefix) {
  while (!text.empty()) {
    if (text[0] == '\\' && !prefix.raw && text.size() > 1) {
      text.remove_prefix(1);
      append_escape(out, text, prefix.bytes);
    } else if (prefix.format && (text.starts_with("{{") || text.starts_with("}}"))) {
      out += text[0];
      text.remove_prefix(2);
    } else if (text.starts_with("\r\n")) {
      out += '\n';
      text.remove_prefix(2);
    } else {
      const size_t length = utf8_length(text);
      if (length)
        out += text.substr(0, length);
      else
        append_utf8(out, kReplacement);
      text.remove_prefix(std::max<size_t>(1, length));
    }
  }
}

// The operands of the replacement fields of a string, those inside format specifiers included.
void collect_operands(Scope& s, NodeId n, std::vector<ExprId>& operands) {
  const Nesting nesting(s);
  if (nesting.too_deep()) return operands.push_back(unknown_expression(s, n, "deeply nested f-string"));
  for (const NodeId child : s.tree().children(n)) {
    const Kind kind = s.node(child).kind;
    if (kind == Kind::Interpolation || kind == Kind::FormatExpression) {
      if (const NodeId operand = s.tree().child(child, Field::Expression); operand.valid())
        operands.push_back(lower_expression(s, operand));
      collect_operands(s, child, operands);
    } else if (kind == Kind::FormatSpecifier) {
      collect_operands(s, child, operands);
    }
  }
}

// A replacement field without its operand: `{!r}` of `{x!r}`.
std::string hole_of(Scope& s, NodeId field) {
  std::string_view text = s.tree().text(field);
  if (const NodeId operand = s.tree().child(field, Field::Expression); operand.valid()) {
    const std::string_view written = s.tree().text(operand);
    text.remove_prefix(static_cast<size_t>(written.end() - text.begin()));
  }
  std::string hole(text);
  if (!hole.starts_with('{')) hole.insert(hole.begin(), '{');
  return hole;
}

// A string, which may be of several literals.
struct StringText {
  std::string content;  // without the fields
  std::string format;   // with holes for them, and each other brace doubled
  std::vector<ExprId> operands = {};
};

void append_literal(Scope& s, NodeId n, StringText& out) {
  StringPrefix prefix;
  for (const NodeId child : s.tree().children(n)) {
    const Kind kind = s.node(child).kind;
    if (kind == Kind::StringStart) prefix = prefix_of(s.tree().text(child));
    if (kind == Kind::Interpolation) out.format += hole_of(s, child);
    if (kind != Kind::StringContent) continue;
    const size_t before = out.content.size();
    append_content(out.content, s.tree().text(child), prefix);
    for (const char c : std::string_view(out.content).substr(before))
      out.format.append(c == '{' || c == '}' ? 2 : 1, c);
  }
  if (prefix.format) collect_operands(s, n, out.operands);
}

}  // namespace

std::string clean_text(std::string_view text) {
  std::string out;
  append_content(out, text, {.raw = true});
  return out;
}

ExprId lower_string(Scope& s, NodeId n) {
  StringText text;
  if (s.node(n).kind == Kind::String) {
    append_literal(s, n, text);
  } else {
    for (const NodeId part : s.tree().children(n))
      if (s.node(part).kind == Kind::String) append_literal(s, part, text);
  }
  return text.operands.empty() ? s.ir.string(text.content) : s.ir.format(text.format, text.operands);
}

// Octal of Python 2, and long integers with their L, are read as well.
static std::optional<uint64_t> integer_value(std::string_view text) {
  std::string digits;
  for (const char c : text)
    if (c != '_' && c != 'l' && c != 'L') digits += c;
  int base = 10;
  size_t skip = 2;
  if (digits.starts_with("0x") || digits.starts_with("0X"))
    base = 16;
  else if (digits.starts_with("0b") || digits.starts_with("0B"))
    base = 2;
  else if (digits.starts_with("0o") || digits.starts_with("0O"))
    base = 8;
  else
    skip = 0, base = digits.size() > 1 && digits[0] == '0' ? 8 : 10;
  uint64_t value = 0;
  const char* end = digits.data() + digits.size();
  const auto [at, error] = std::from_chars(digits.data() + skip, end, value, base);
  if (error != std::errc() || at != end || value > INT64_MAX) return std::nullopt;
  return value;
}

ExprId lower_number(Scope& s, NodeId n) {
  const std::string_view text = s.tree().text(n);
  const bool imaginary = text.ends_with('j') || text.ends_with('J');
  if (s.node(n).kind == Kind::Float || imaginary) return s.ir.floating(clean_text(text));
  if (const auto value = integer_value(text)) return s.ir.integer_text(std::to_string(*value));
  return s.ir.integer_text(clean_text(text));
}

}  // namespace ranklint::python
