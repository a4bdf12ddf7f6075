#include "analyzer/ir/expr_parser.h"

#include <algorithm>

namespace ranklint::ir {

// A level of a tree takes five calls at most: parentheses, `not`, its operand.
static constexpr uint32_t kMaxNesting = 6 * kMaxExpressionDepth;

namespace {

struct Nested {
  explicit Nested(uint32_t& counter) : counter_(counter) { ++counter_; }
  ~Nested() { --counter_; }
  Nested(const Nested&) = delete;
  Nested& operator=(const Nested&) = delete;
  uint32_t& counter_;
};

}  // namespace

std::optional<Reference> parse_reference(Scanner& scanner, ErrorSlot& errors) {
  scanner.skip_blanks();
  const uint32_t column = scanner.column();
  std::optional<std::string> name = scanner.path();
  std::optional<uint32_t> ordinal = 1;
  if (name && scanner.accept_adjacent("#")) ordinal = scanner.natural();
  if (name && ordinal) return Reference{std::move(*name), *ordinal};
  errors.set("expected the name of a function or class", scanner.line_number(), column);
  return std::nullopt;
}

std::optional<uint32_t> look_up(const std::unordered_map<std::string, std::vector<uint32_t>>& table,
                                const Reference& reference) {
  const auto found = table.find(reference.name);
  if (found == table.end() || reference.ordinal == 0 || reference.ordinal > found->second.size()) return std::nullopt;
  return found->second[reference.ordinal - 1];
}

ExprId ExprParser::fail(std::string message) {
  errors_.set(std::move(message), scanner_.line_number(), scanner_.column());
  return {};
}

bool ExprParser::expect(std::string_view mark) {
  if (failed()) return false;
  if (scanner_.accept(mark)) return true;
  fail("expected `" + std::string(mark) + "`");
  return false;
}

ExprId ExprParser::make(ExprKind kind, std::span<const ExprId> children, std::string_view text, Operator op,
                        uint32_t definition) {
  if (failed()) return {};
  for (const ExprId child : children)
    if (builder_.depth(child) >= kMaxExpressionDepth) return fail("the expression nests too deeply");
  return builder_.expr(kind, children, text, op, definition);
}

ExprId ExprParser::expr(int level) {
  const Nested nested(nesting_);
  if (nesting_ > kMaxNesting) return fail("the expression nests too deeply");
  scanner_.skip_blanks();
  if (level <= kSliceLevel && scanner_.peek() == ':') return slice({});
  if (level <= kStarredLevel && scanner_.peek() == '*' && scanner_.peek(1) != '*') {
    scanner_.accept("*");
    const ExprId operand = expr(kConditionalLevel);
    return make(ExprKind::Starred, {&operand, 1});
  }
  ExprId first = climb(std::max<int>(level, kOrLevel));
  if (failed()) return {};
  if (level <= kConditionalLevel && scanner_.accept_word("if")) {
    const ExprId condition = expr(kOrLevel);
    if (!failed() && !scanner_.accept_word("else")) return fail("expected `else`");
    const ExprId parts[] = {condition, first, failed() ? ExprId{} : expr(kOrLevel)};
    first = make(ExprKind::Conditional, parts);
  }
  if (level <= kSliceLevel && !failed() && scanner_.peek_after_blanks() == ':') return slice(first);
  return first;
}

// After the lower bound, or at the `:` when there is none.
ExprId ExprParser::slice(ExprId lower) {
  ExprId parts[] = {lower, {}, {}};
  const auto ends = [&] {
    const char c = scanner_.peek_after_blanks();
    return c == ':' || c == ']' || c == ')' || c == ',' || c == '\0';
  };
  for (size_t i = 1; i < 3 && !failed() && scanner_.accept(":"); ++i)
    if (!ends()) parts[i] = expr();
  if (failed()) return {};
  for (ExprId& part : parts)
    if (!part.valid()) part = make(ExprKind::None, {});
  return make(ExprKind::Slice, parts);
}

// The operator that stands here, if it binds at least as tightly as `level` and more loosely than `limit`.
const OperatorWord* ExprParser::accept_operator(int level, int limit) {
  if (scanner_.at_range()) return nullptr;
  for (const OperatorWord& word : binary_operators()) {
    const bool letters = is_name_start(word.text[0]) && word.op != Operator::Modulo;
    const size_t start = scanner_.position();
    if (!(letters ? scanner_.accept_word(word.text) : scanner_.accept(word.text))) continue;
    if (word.level >= level && word.level < limit) return &word;
    scanner_.go_back(start);
    return nullptr;
  }
  return nullptr;
}

ExprId ExprParser::logical(ExprKind kind, std::string_view word, int level, ExprId first) {
  std::vector<ExprId> operands{first};
  while (!failed() && scanner_.accept_word(word)) operands.push_back(climb(level + 1));
  return make(kind, operands);
}

// Precedence climbing: operators that bind at least as tightly as `level`, the tightest grouped first.
ExprId ExprParser::climb(int level) {
  const Nested nested(nesting_);
  if (nesting_ > kMaxNesting) return fail("the expression nests too deeply");
  int limit = scanner_.at_word("not") ? kNotLevel : kPowerLevel;
  ExprId left = prefix(level);
  while (!failed()) {
    if (const OperatorWord* word = accept_operator(level, limit)) {
      const ExprId operands[] = {left, climb(word->level + 1)};
      left = make(ExprKind::Binary, operands, {}, word->op);
      limit = word->level == kCompareLevel ? kCompareLevel : word->level + 1;
    } else if (level <= kAndLevel && limit > kAndLevel && scanner_.at_word("and")) {
      left = logical(ExprKind::And, "and", kAndLevel, left);
      limit = kAndLevel;
    } else if (level <= kOrLevel && limit > kOrLevel && scanner_.at_word("or")) {
      left = logical(ExprKind::Or, "or", kOrLevel, left);
      limit = kOrLevel;
    } else {
      break;
    }
  }
  return left;
}

ExprId ExprParser::prefix(int level) {
  const Nested nested(nesting_);
  if (nesting_ > kMaxNesting) return fail("the expression nests too deeply");
  for (const OperatorWord& word : unary_operators()) {
    const bool found = word.op == Operator::Not ? scanner_.accept_word("not") : scanner_.accept(word.text);
    if (!found) continue;
    if (word.level < level) return fail("`" + std::string(word.text.substr(0, 3)) + "` wants parentheses here");
    const ExprId operand = climb(word.level);
    return make(ExprKind::Unary, {&operand, 1}, {}, word.op);
  }
  return power();
}

ExprId ExprParser::power() {
  const ExprId base = postfix(true);
  if (failed() || !scanner_.accept("**")) return base;
  const ExprId operands[] = {base, climb(kUnaryLevel)};
  return make(ExprKind::Binary, operands, {}, Operator::Power);
}

ExprId ExprParser::postfix(bool with_calls) {
  ExprId left = primary();
  while (!failed()) {
    if (scanner_.peek() == '.' && scanner_.peek(1) != '.') {
      scanner_.accept_adjacent(".");
      const std::optional<std::string> member = scanner_.name();
      if (!member) return fail("expected a name behind `.`");
      left = make(ExprKind::Attribute, {&left, 1}, *member);
    } else if (scanner_.accept_adjacent("[")) {
      left = subscript(left);
    } else if (with_calls && scanner_.accept_adjacent("(")) {
      std::vector<ExprId> parts{left};
      while (!failed() && !scanner_.accept(")")) {
        parts.push_back(call_argument());
        if (!failed() && !scanner_.accept(",") && scanner_.peek_after_blanks() != ')') expect(")");
      }
      left = make(ExprKind::Call, parts);
    } else {
      break;
    }
  }
  return left;
}

// An argument of a call that stands inside an expression: its keywords are expressions themselves.
ExprId ExprParser::call_argument() {
  const size_t start = scanner_.position();
  std::string keyword;
  bool found = scanner_.accept("**");
  if (!found) {
    const std::optional<std::string> name = scanner_.name();
    scanner_.skip_blanks();
    found = name && scanner_.peek() == '=' && scanner_.peek(1) != '=';
    if (found) {
      keyword = *name;
      scanner_.accept("=");
    }
  }
  if (!found) {
    scanner_.go_back(start);
    return expr(kStarredLevel);
  }
  const ExprId value = expr();
  return make(ExprKind::Keyword, {&value, 1}, keyword);
}

// Up to and with the closing mark.
std::vector<ExprId> ExprParser::items(std::string_view close, int level, bool& trailing_comma) {
  std::vector<ExprId> out;
  trailing_comma = false;
  while (!failed() && !scanner_.accept(close)) {
    if (!out.empty() && !trailing_comma) {
      expect(",");
      break;
    }
    out.push_back(expr(level));
    trailing_comma = !failed() && scanner_.accept(",");
  }
  return out;
}

ExprId ExprParser::subscript(ExprId base) {
  bool comma = false;
  const std::vector<ExprId> indices = items("]", kSliceLevel, comma);
  if (failed()) return {};
  if (indices.empty()) return fail("an index is missing");
  const ExprId parts[] = {base, indices.size() > 1 || comma ? make(ExprKind::Tuple, indices) : indices[0]};
  return make(ExprKind::Subscript, parts);
}

ExprId ExprParser::parenthesized() {
  bool comma = false;
  const std::vector<ExprId> parts = items(")", kSliceLevel, comma);
  if (parts.size() == 1 && !comma) return parts[0];
  return make(ExprKind::Tuple, parts);
}

// {} is a dict, {,} the empty set.
ExprId ExprParser::braces() {
  if (scanner_.accept(",")) return expect("}") ? make(ExprKind::Set, {}) : ExprId{};
  std::vector<ExprId> parts;
  bool is_dict = true;
  for (bool first = true; !failed() && !scanner_.accept("}"); first = false) {
    if (!first && (!expect(",") || scanner_.accept("}"))) break;
    if (scanner_.accept("**")) {
      parts.push_back(make(ExprKind::Unpack, {}));
      if (!is_dict) return fail("`**` in a set");
    } else {
      parts.push_back(expr(first || !is_dict ? kStarredLevel : kConditionalLevel));
      if (first && !failed()) is_dict = scanner_.peek_after_blanks() == ':';
      if (!is_dict) continue;
      expect(":");
    }
    if (!failed()) parts.push_back(expr());
  }
  return make(is_dict ? ExprKind::Dict : ExprKind::Set, parts);
}

ExprId ExprParser::number() {
  const std::string text = scanner_.number();
  if (is_integer_word(text)) return make(ExprKind::Integer, {}, text);
  if (is_float_word(text)) return make(ExprKind::Float, {}, text);
  return fail("`" + text + "` is no number");
}

ExprId ExprParser::text_literal(ExprKind kind) {
  const std::optional<std::string> text = scanner_.quoted('"');
  return text ? make(kind, {}, *text) : fail("the text between quotes has no end or an unknown escape");
}

FunctionId ExprParser::function_reference() {
  const std::optional<Reference> reference = parse_reference(scanner_, errors_);
  if (!reference) return {};
  const std::optional<uint32_t> index = look_up(references_.functions, *reference);
  if (index) return FunctionId{*index};
  fail("there is no such function as `" + reference->name + "`");
  return {};
}

ClassId ExprParser::class_reference() {
  const std::optional<Reference> reference = parse_reference(scanner_, errors_);
  if (!reference) return {};
  const std::optional<uint32_t> index = look_up(references_.classes, *reference);
  if (index) return ClassId{*index};
  fail("there is no such class as `" + reference->name + "`");
  return {};
}

ExprId ExprParser::name() {
  const size_t start = scanner_.position();
  const bool in_backticks = scanner_.peek_after_blanks() == '`';
  const std::optional<std::string> text = scanner_.name();
  if (!text) return fail("expected a name");
  if (!in_backticks && is_reserved(*text)) {
    scanner_.go_back(start);
    return fail("`" + *text + "` is a word of the text form; a name of that spelling stands in backticks");
  }
  return make(ExprKind::Name, {}, *text);
}

ExprId ExprParser::word() {
  if (scanner_.accept_word("True")) return make(ExprKind::True, {});
  if (scanner_.accept_word("False")) return make(ExprKind::False, {});
  if (scanner_.accept_word("None")) return make(ExprKind::None, {});
  if (scanner_.accept_word("class")) {
    const ClassId id = class_reference();
    return make(ExprKind::Class, {}, {}, Operator::None, id.index);
  }
  if (scanner_.accept_word("fstring")) {
    bool comma = false;
    std::optional<std::string> text;
    if (scanner_.peek_after_blanks() == '"' && !(text = scanner_.quoted('"')))
      return fail("the text between quotes has no end or an unknown escape");
    const std::vector<ExprId> operands = expect("(") ? items(")", kConditionalLevel, comma) : std::vector<ExprId>();
    return text ? make(ExprKind::Format, operands, *text) : make(ExprKind::Format, operands);
  }
  if (scanner_.accept_word("unknown")) {
    const ExprId what = expect("(") ? text_literal(ExprKind::Unknown) : ExprId{};
    return expect(")") ? what : ExprId{};
  }
  if (scanner_.accept("int\"")) {
    scanner_.go_back(scanner_.position() - 1);
    return text_literal(ExprKind::Integer);
  }
  if (scanner_.accept("float\"")) {
    scanner_.go_back(scanner_.position() - 1);
    return text_literal(ExprKind::Float);
  }
  return name();
}

ExprId ExprParser::primary() {
  const char c = scanner_.peek_after_blanks();
  if (c == '"') return text_literal(ExprKind::String);
  if (scanner_.accept("...")) return make(ExprKind::Ellipsis, {});
  if ((c >= '0' && c <= '9') || c == '.') return number();
  if (scanner_.accept("(")) return parenthesized();
  if (scanner_.accept("{")) return braces();
  if (scanner_.accept("[")) {
    bool comma = false;
    const std::vector<ExprId> parts = items("]", kSliceLevel, comma);
    return make(ExprKind::List, parts);
  }
  if (scanner_.accept("&")) {
    const FunctionId id = function_reference();
    return make(ExprKind::Function, {}, {}, Operator::None, id.index);
  }
  if (is_name_start(c) || c == '`') return word();
  return fail("expected an expression");
}

bool ExprParser::arguments(std::vector<CallArgument>& out, std::vector<std::string>& keywords) {
  while (!failed() && !scanner_.accept(")")) {
    if (!out.empty() && !expect(",")) break;
    CallArgument made;
    std::string keyword;
    if (scanner_.accept("**")) {
      made.kind = ArgumentKind::DoubleStar;
    } else if (scanner_.accept("*")) {
      made.kind = ArgumentKind::Star;
    } else {
      const size_t start = scanner_.position();
      const std::optional<std::string> name = scanner_.name();
      scanner_.skip_blanks();
      if (name && scanner_.peek() == '=' && scanner_.peek(1) != '=') {
        scanner_.accept("=");
        made.kind = ArgumentKind::Keyword;
        keyword = *name;
      } else {
        scanner_.go_back(start);
      }
    }
    made.value = expr();
    out.push_back(made);
    keywords.push_back(keyword);
  }
  return !failed();
}

std::optional<Parameter> ExprParser::parameter(ParameterKind kind) {
  const std::optional<std::string> name = scanner_.name();
  if (!name) {
    fail("expected the name of a parameter");
    return std::nullopt;
  }
  Parameter made{.name = builder_.symbol(*name), .kind = kind};
  if (scanner_.accept(":")) made.annotation = expr();
  if (!failed() && scanner_.accept("=")) made.default_value = expr();
  if (failed()) return std::nullopt;
  return made;
}

// Python's order: positional-only ones, `/`, positional ones, `*args` or `*`, keyword-only ones, `**kwargs`.
std::vector<Parameter> ExprParser::parameters() {
  std::vector<Parameter> out;
  ParameterKind next = ParameterKind::Positional;
  bool bare_star = false;  // wants a keyword-only parameter after it
  for (bool first = true; !failed() && !scanner_.accept(")"); first = false) {
    if (!first && !expect(",")) break;
    if (next == ParameterKind::DoubleStar) {
      fail("nothing may follow the `**` parameter");
    } else if (scanner_.accept("/")) {
      const bool all_positional =
          std::ranges::all_of(out, [](const Parameter& p) { return p.kind == ParameterKind::Positional; });
      if (out.empty() || !all_positional) fail("`/` stands behind positional parameters, once");
      for (Parameter& p : out) p.kind = ParameterKind::PositionalOnly;
    } else if (scanner_.accept("**")) {
      if (bare_star) fail("a parameter is missing behind `*`");
      if (const auto made = parameter(ParameterKind::DoubleStar)) out.push_back(*made);
      next = ParameterKind::DoubleStar;
    } else if (scanner_.accept("*")) {
      if (next != ParameterKind::Positional) fail("there is a `*` already");
      next = ParameterKind::KeywordOnly;
      bare_star = scanner_.peek_after_blanks() == ',' || scanner_.peek() == ')';
      if (bare_star) continue;
      if (const auto made = parameter(ParameterKind::Star)) out.push_back(*made);
    } else if (const auto made = parameter(next)) {
      out.push_back(*made);
      bare_star = false;
    }
  }
  if (bare_star) fail("a parameter is missing behind `*`");
  return out;
}

}  // namespace ranklint::ir
