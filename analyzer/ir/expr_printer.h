// Expressions as text, with parentheses only where the parser needs them.
#pragma once

#include <string>
#include <vector>

#include "analyzer/ir/words.h"

namespace ranklint::ir {

// How functions and classes are referred to: by qualified name, with `#2` after the second bearer of a name.
struct References {
  explicit References(const Module& module);
  std::string function(FunctionId id) const;
  std::string class_(ClassId id) const;

  const Module& module;
  std::vector<uint32_t> function_ordinals;
  std::vector<uint32_t> class_ordinals;
};

// A name as an operand: in backticks if it is no plain name or is a reserved word.
std::string name_text(std::string_view name);
// A name after a dot or as a keyword, where no word is reserved.
std::string member_text(std::string_view name);
// A dotted path, in backticks if it is no plain one.
std::string path_text(std::string_view path);

class ExprPrinter {
 public:
  ExprPrinter(const References& references, const Function& function)
      : references_(references), module_(references.module), function_(function) {}

  std::string text(ExprId id, int level = kConditionalLevel) const;
  std::string argument(const Argument& argument) const;

 private:
  bool swallows_dot(ExprId id) const;
  std::string body(const Expr& expr) const;
  std::string binary(const Expr& expr, ExprId left, ExprId right) const;
  std::string subscript(ExprId base, ExprId index) const;
  std::string dict(std::span<const ExprId> items) const;
  std::string slice(std::span<const ExprId> parts) const;
  std::string joined(std::span<const ExprId> items, std::string_view separator, int level) const;

  const References& references_;
  const Module& module_;
  const Function& function_;
  mutable uint32_t depth_ = 0;
};

}  // namespace ranklint::ir
