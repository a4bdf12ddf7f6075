// The text form of the IR; docs/ir.md describes it. ir::parse reads it back.
#pragma once

#include <compare>
#include <map>
#include <string>

#include "analyzer/ir/ir.h"

namespace ranklint::ir {

// A place in a function that a fact is about. The index after the last instruction means the terminator.
struct AnnotationPoint {
  FunctionId function = {};
  BlockId block = {};
  uint32_t instruction = 0;
  friend auto operator<=>(const AnnotationPoint&, const AnnotationPoint&) = default;
};

struct PrintOptions {
  bool locations = true;                         // ranges that are known, as `@12:10-12:20`
  std::map<AnnotationPoint, std::string> facts;  // printed after a `;` at the end of their line
};

// The text of a module that ir::verify accepts. A broken module prints too, as far as that is possible, with
// `<invalid>` where an id leads nowhere; that text does not parse.
std::string print(const Module& module, const PrintOptions& options = {});

// One function alone.
std::string print_function(const Module& module, FunctionId id, const PrintOptions& options = {});

// An expression as the text form writes it, for messages and tests.
std::string print_expr(const Module& module, const Function& function, ExprId expr);

}  // namespace ranklint::ir
