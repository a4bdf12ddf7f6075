#include "tests/questions/asked.h"

#include <catch2/catch.hpp>

#include <regex>

#include "analyzer/interp/effects.h"
#include "analyzer/ir/parse.h"

namespace ranklint::test {

std::vector<ir::Module> Asked::modules_of(std::string functions, const std::string& imports) {
  std::string code;
  static const std::regex kHead("(?:^|\\n)(?:async )?func (\\w+)\\(");
  for (std::sregex_iterator it(functions.begin(), functions.end(), kHead), end; it != end; ++it)
    code += "  " + (*it)[1].str() + " = &" + (*it)[1].str() + "\n";
  const std::string text =
      "module \"a.py\"\nlanguage \"python\" shares_objects numbers_are_values declares_no_types\n"
      "func <module>() {\n^entry:\n  import torch\n  import torch.distributed as dist\n" +
      imports + code + "  return\n}\n" + functions;
  Result<ir::Module> module = ir::parse(text, "a.py");
  if (!module) FAIL("line " << module.error().line << ": " << module.error().message << "\n" << text);
  // As in a file, a range tells one place from another.
  uint32_t line = 0;
  for (ir::Function& f : module->functions)
    for (ir::Block& block : f.blocks) {
      for (ir::Instruction& i : block.instructions) i.range = {++line, 1, line, 2};
      block.terminator.range = {++line, 1, line, 2};
    }
  std::vector<ir::Module> modules;
  modules.push_back(std::move(*module));
  return modules;
}

Asked::Asked(std::string functions, const std::string& imports, const std::vector<std::string>& watched)
    : index_(modules_of(std::move(functions), imports), models_.roles()), interpreter_(index_, models_) {
  interpreter_.watch(watched);
  complete_effects(interpreter_);
}

FunctionKey Asked::function(std::string_view qualified_name) const {
  for (const FunctionKey f : in().functions_to_check())
    if (index_.qualified_name(f) == qualified_name) return f;
  FAIL("no function " << qualified_name);
  return {};
}

ir::BlockId Asked::block(std::string_view function, std::string_view label) const {
  const FunctionCode asked = code(function);
  for (const ir::BlockId b : asked.graph().order())
    if (asked.text.text(asked.ir.blocks[b].label) == label) return b;
  FAIL("no block " << label);
  return {};
}

ProgramPoint call_of(const FunctionCode& code, std::string_view callee) {
  for (const ir::BlockId b : code.graph().order()) {
    const auto& instructions = code.ir.blocks[b].instructions;
    for (uint32_t i = 0; i < instructions.size(); ++i) {
      if (instructions[i].kind != ir::InstructionKind::Call) continue;
      const ir::Expr& called = code.ir.exprs[instructions[i].value];
      const bool has_name = called.kind == ir::ExprKind::Name || called.kind == ir::ExprKind::Attribute;
      if (has_name && code.text.text(called.symbol) == callee) return {b, i};
    }
  }
  FAIL("no call of " << callee);
  return {};
}

const ir::Instruction& instruction_at(const FunctionCode& code, ProgramPoint at) {
  return code.ir.blocks[at.block].instructions[at.instruction];
}

ir::ExprId argument_of(const FunctionCode& code, std::string_view callee, size_t number) {
  const auto arguments = ir::arguments(code.ir, instruction_at(code, call_of(code, callee)));
  REQUIRE(number < arguments.size());
  return arguments[number].value;
}

}  // namespace ranklint::test
