// IR for tests, from its text form.
#pragma once

#include <catch2/catch.hpp>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/ir/parse.h"
#include "analyzer/ir/verify.h"

namespace ranklint::test {

// The module of a text that must parse.
inline ir::Module parsed(std::string_view text) {
  Result<ir::Module> module = ir::parse(text);
  INFO(text);
  if (!module) FAIL(module.error().line << ":" << module.error().column << ": " << module.error().message);
  return std::move(module).value();
}

// A text whose function 0 is sound and whose ^entry of `f(x)` holds these lines.
inline std::string text_with(std::string_view lines) {
  return "func <module>() {\n^entry:\n  return\n}\n\nfunc f(x) {\n^entry:\n" + std::string(lines) + "}\n";
}

inline ir::Function& function_f(ir::Module& module) { return module.functions[ir::FunctionId{1}]; }

inline std::string joined(const std::vector<std::string>& lines) {
  std::string out;
  for (const std::string& line : lines) out += line + "\n";
  return out;
}

}  // namespace ranklint::test
