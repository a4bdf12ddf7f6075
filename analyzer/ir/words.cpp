#include "analyzer/ir/words.h"

#include <algorithm>
#include <cctype>
#include <unordered_map>

namespace ranklint::ir {

// Where one word begins another, the longer stands first: the parser takes the first that fits.
static constexpr OperatorWord kBinary[] = {
    {Operator::Power, "**", kPowerLevel},
    {Operator::FloorDivide, "//", kMultiplyLevel},
    {Operator::ShiftLeft, "<<", kShiftLevel},
    {Operator::ShiftRight, ">>", kShiftLevel},
    {Operator::Equal, "==", kCompareLevel},
    {Operator::NotEqual, "!=", kCompareLevel},
    {Operator::LessEqual, "<=", kCompareLevel},
    {Operator::GreaterEqual, ">=", kCompareLevel},
    {Operator::NotIn, "not in", kCompareLevel},
    {Operator::IsNot, "is not", kCompareLevel},
    {Operator::In, "in", kCompareLevel},
    {Operator::Is, "is", kCompareLevel},
    {Operator::Add, "+", kAddLevel},
    {Operator::Subtract, "-", kAddLevel},
    {Operator::Multiply, "*", kMultiplyLevel},
    {Operator::Divide, "/", kMultiplyLevel},
    {Operator::Modulo, "%", kMultiplyLevel},
    {Operator::MatrixMultiply, "@", kMultiplyLevel},
    {Operator::BitAnd, "&", kBitAndLevel},
    {Operator::BitOr, "|", kBitOrLevel},
    {Operator::BitXor, "^", kBitXorLevel},
    {Operator::Less, "<", kCompareLevel},
    {Operator::Greater, ">", kCompareLevel},
};

static constexpr OperatorWord kUnary[] = {
    {Operator::Not, "not ", kNotLevel},
    {Operator::Negate, "-", kUnaryLevel},
    {Operator::Plus, "+", kUnaryLevel},
    {Operator::Invert, "~", kUnaryLevel},
};

// A Name of this spelling stands in backticks.
static constexpr std::string_view kReserved[] = {
    "False", "None",  "True",  "and",    "assert", "async",  "await",   "branch",      "call",   "catch", "class",
    "del",   "else",  "enter", "except", "for",    "from",   "fstring", "if",          "import", "in",    "is",
    "jump",  "leave", "not",   "or",     "raise",  "return", "unknown", "unreachable", "unwind", "while", "yield",
};

static constexpr std::string_view kConventionWords[] = {
    "not_imported",    "one_namespace",     "shares_objects", "numbers_are_values", "declares_no_types",
    "fills_arguments", "raises_in_callees", "returns_errors", "exit_ends_job",      "runs_in_worlds"};
static constexpr std::string_view kKindWords[] = {"module", "class_body", "function", "lambda", "comprehension"};

std::span<const OperatorWord> binary_operators() { return kBinary; }
std::span<const OperatorWord> unary_operators() { return kUnary; }
std::span<const std::string_view> kind_words() { return kKindWords; }
std::span<const std::string_view> convention_words() { return kConventionWords; }

const OperatorWord* find_word(std::span<const OperatorWord> words, Operator op) {
  const auto found = std::ranges::find(words, op, &OperatorWord::op);
  return found == words.end() ? nullptr : &*found;
}

std::string_view operator_text(Operator op) {
  const OperatorWord* word = find_word(kBinary, op);
  if (word == nullptr) word = find_word(kUnary, op);
  return word ? word->text : std::string_view();
}

bool is_digit(char c) { return c >= '0' && c <= '9'; }
bool is_letter(char c) { return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z'); }

bool is_name_start(char c) {
  return is_letter(c) || c == '_' || c == '%' || c == '$' || static_cast<unsigned char>(c) >= 0x80;
}

bool is_name_char(char c) { return is_digit(c) || (is_name_start(c) && c != '%'); }

bool is_reserved(std::string_view word) { return std::ranges::find(kReserved, word) != std::end(kReserved); }

bool is_plain_name(std::string_view text) {
  return !text.empty() && is_name_start(text[0]) && std::ranges::all_of(text.substr(1), is_name_char);
}

static bool is_bracket_char(char c) { return is_name_char(c) || c == ' ' || c == '.'; }

static bool is_plain_part(std::string_view part) {
  if (part.size() > 2 && part.front() == '<' && part.back() == '>')
    return std::ranges::all_of(part.substr(1, part.size() - 2), is_bracket_char);
  return is_plain_name(part);
}

bool is_plain_path(std::string_view text) {
  size_t start = 0;
  bool in_brackets = false;
  for (size_t i = 0; i <= text.size(); ++i) {
    const char c = i < text.size() ? text[i] : '.';
    if (c == '<' || c == '>') in_brackets = c == '<';
    if (c != '.' || (in_brackets && i < text.size())) continue;
    if (!is_plain_part(text.substr(start, i - start))) return false;
    start = i + 1;
  }
  return true;
}

static bool has_base_prefix(std::string_view text) {
  return text.size() > 2 && text[0] == '0' && std::string_view("xXoObB").find(text[1]) != std::string_view::npos;
}

bool is_integer_word(std::string_view text) {
  if (text.empty() || !is_digit(text[0])) return false;
  if (has_base_prefix(text))
    return std::ranges::all_of(text, [](char c) { return is_digit(c) || is_letter(c) || c == '_'; });
  return std::ranges::all_of(text, [](char c) { return is_digit(c) || c == '_'; });
}

// Digits, letters (1e5, 2j, 1.0f) and dots, and a sign after an exponent's e.
bool is_float_word(std::string_view text) {
  if (text.empty() || is_integer_word(text) || has_base_prefix(text)) return false;
  if (!is_digit(text[0]) && !(text[0] == '.' && text.size() > 1 && is_digit(text[1]))) return false;
  for (size_t i = 0; i < text.size(); ++i) {
    const char c = text[i];
    const bool sign = (c == '+' || c == '-') && i + 1 < text.size() && is_digit(text[i + 1]) &&
                      (text[i - 1] == 'e' || text[i - 1] == 'E');
    if (!is_digit(c) && !is_letter(c) && c != '_' && c != '.' && !sign) return false;
  }
  return true;
}

static void append_escaped(std::string& out, char c) {
  static constexpr char kHex[] = "0123456789abcdef";
  const auto byte = static_cast<unsigned char>(c);
  if (c == '\n') {
    out += "\\n";
  } else if (c == '\t') {
    out += "\\t";
  } else if (byte < 0x20 || byte >= 0x7f) {
    out += "\\x";
    out += kHex[byte >> 4];
    out += kHex[byte & 15];
  } else {
    out += c;
  }
}

std::string quoted(std::string_view text, char quote) {
  std::string out(1, quote);
  for (const char c : text) {
    if (c == quote || c == '\\') out += '\\';
    append_escaped(out, c);
  }
  return out + quote;
}

FunctionKind default_kind(std::string_view name) {
  if (name == "<module>") return FunctionKind::Module;
  if (name == "<lambda>") return FunctionKind::Lambda;
  if (name.starts_with("<class ")) return FunctionKind::ClassBody;
  if (name == "<listcomp>" || name == "<setcomp>" || name == "<dictcomp>" || name == "<genexpr>")
    return FunctionKind::Comprehension;
  return FunctionKind::Function;
}

template <typename Items>
static std::vector<uint32_t> ordinals(const Items& items, const Module& module) {
  std::unordered_map<std::string_view, uint32_t> seen;
  std::vector<uint32_t> out;
  for (const auto& item : items) out.push_back(++seen[module.text(item.qualified_name)]);
  return out;
}

std::vector<uint32_t> function_ordinals(const Module& module) { return ordinals(module.functions, module); }
std::vector<uint32_t> class_ordinals(const Module& module) { return ordinals(module.classes, module); }

}  // namespace ranklint::ir
