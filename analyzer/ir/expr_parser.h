// Reads expressions, arguments and parameters of the text form into a function's pools.
//
// The first error is kept and everything unwinds: a function that failed returns an invalid id, an empty
// optional or false, and its caller does the same. Two bounds keep any input from exhausting the
// stack: how deep the parser calls itself, and how deep a tree may become (kMaxExpressionDepth).
#pragma once

#include <optional>
#include <string>
#include <unordered_map>
#include <vector>

#include "analyzer/base/result.h"
#include "analyzer/ir/builder.h"
#include "analyzer/ir/scanner.h"
#include "analyzer/ir/words.h"

namespace ranklint::ir {

// The functions and classes of a module by qualified name, in their order.
struct ReferenceTable {
  std::unordered_map<std::string, std::vector<uint32_t>> functions;
  std::unordered_map<std::string, std::vector<uint32_t>> classes;
};

// The first error of a parse.
class ErrorSlot {
 public:
  bool failed() const { return error_.has_value(); }
  const Error& error() const { return *error_; }
  void set(std::string message, uint32_t line, uint32_t column) {
    if (!error_) error_ = Error{std::move(message), "", line, column};
  }

 private:
  std::optional<Error> error_;
};

// A function's or class's name with the number that distinguishes it from others of that name.
struct Reference {
  std::string name;
  uint32_t ordinal = 1;
};

std::optional<Reference> parse_reference(Scanner& scanner, ErrorSlot& errors);
std::optional<uint32_t> look_up(const std::unordered_map<std::string, std::vector<uint32_t>>& table,
                                const Reference& reference);

class ExprParser {
 public:
  // All arguments must outlive the parser.
  ExprParser(Scanner& scanner, FunctionBuilder& builder, const ReferenceTable& references, ErrorSlot& errors)
      : scanner_(scanner), builder_(builder), references_(references), errors_(errors) {}

  ExprId expr(int level = kConditionalLevel);
  ExprId postfix(bool with_calls);  // a target, a callee
  ExprId name();
  FunctionId function_reference();
  ClassId class_reference();
  bool arguments(std::vector<CallArgument>& out, std::vector<std::string>& keywords);  // up to and with the `)`
  std::vector<Parameter> parameters();                                                 // up to and with the `)`
  bool expect(std::string_view mark);
  ExprId fail(std::string message);

 private:
  ExprId slice(ExprId lower);
  ExprId climb(int level);
  ExprId logical(ExprKind kind, std::string_view word, int level, ExprId first);
  const OperatorWord* accept_operator(int level, int limit);
  ExprId prefix(int level);
  ExprId power();
  ExprId primary();
  ExprId word();
  ExprId number();
  ExprId text_literal(ExprKind kind);
  ExprId parenthesized();
  ExprId subscript(ExprId base);
  ExprId braces();
  ExprId dict_or_set_items(std::vector<ExprId>& items);
  ExprId call_argument();
  std::vector<ExprId> items(std::string_view close, int level, bool& trailing_comma);
  std::optional<Parameter> parameter(ParameterKind kind);
  ExprId make(ExprKind kind, std::span<const ExprId> children, std::string_view text = {}, Operator op = Operator::None,
              uint32_t definition = 0);
  bool failed() const { return errors_.failed(); }

  Scanner& scanner_;
  FunctionBuilder& builder_;
  const ReferenceTable& references_;
  ErrorSlot& errors_;
  uint32_t nesting_ = 0;
};

}  // namespace ranklint::ir
