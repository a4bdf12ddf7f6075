// The words of the text form, which the printer and the parser share: operators and how tightly they bind,
// reserved words, what needs quotes, how functions and classes are referred to.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/ir/ir.h"

namespace ranklint::ir {

// How tightly an expression binds; an operand of a lower level than its place wants stands in parentheses.
enum Level : int {
  kSliceLevel,    // in parentheses, tuples, lists and subscripts only
  kStarredLevel,  // besides in sets and calls; keyword arguments too
  kConditionalLevel,
  kOrLevel,
  kAndLevel,
  kNotLevel,
  kCompareLevel,  // does not chain
  kBitOrLevel,
  kBitXorLevel,
  kBitAndLevel,
  kShiftLevel,
  kAddLevel,
  kMultiplyLevel,
  kUnaryLevel,
  kPowerLevel,  // the right operand is a unary expression, so it groups to the right
  kPostfixLevel,
  kPrimaryLevel,
};

struct OperatorWord {
  Operator op;
  std::string_view text;
  Level level;
};

std::span<const OperatorWord> binary_operators();
std::span<const OperatorWord> unary_operators();
const OperatorWord* find_word(std::span<const OperatorWord> words, Operator op);
// "+", "not in", "not "; empty for None.
std::string_view operator_text(Operator op);

// Names.
bool is_digit(char c);   // of ASCII
bool is_letter(char c);  // of ASCII
bool is_name_start(char c);
bool is_name_char(char c);
bool is_reserved(std::string_view word);
bool is_plain_name(std::string_view text);    // may stand unquoted after a dot or as a keyword
bool is_plain_path(std::string_view text);    // dotted; parts may be in angle brackets: "outer.<lambda>"
bool is_integer_word(std::string_view text);  // reads back as an Integer
bool is_float_word(std::string_view text);    // reads back as a Float

// The text between two quotes, with \-escapes for the quote, the backslash and everything outside of ASCII.
std::string quoted(std::string_view text, char quote);

// What a function is when no `kind` line says otherwise.
FunctionKind default_kind(std::string_view name);
std::span<const std::string_view> kind_words();  // by FunctionKind

std::span<const std::string_view> convention_words();  // by Convention

// How often each qualified name stood before: 1 for its first bearer, 2 for the next, ...
std::vector<uint32_t> function_ordinals(const Module& module);
std::vector<uint32_t> class_ordinals(const Module& module);

}  // namespace ranklint::ir
