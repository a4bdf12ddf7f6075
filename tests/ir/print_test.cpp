#include "analyzer/ir/print.h"

#include <catch2/catch.hpp>

#include "analyzer/ir/builder.h"
#include "tests/ir/ir_text.h"

namespace ranklint::test {

TEST_CASE("locations print only on request") {
  const ir::Module module = parsed(text_with("  x = 1 @2:3-2:8\n  return @3:1-3:7\n"));
  CHECK(ir::print(module).find("  x = 1 @2:3-2:8\n") != std::string::npos);
  CHECK(ir::print(module, {.locations = false, .facts = {}}).find('@') == std::string::npos);
}

TEST_CASE("facts stand behind a semicolon, aligned, and the parser skips them") {
  const ir::Module module = parsed(text_with("  x = 1\n  return\n"));
  ir::PrintOptions options;
  options.facts[{ir::FunctionId{1}, ir::BlockId{0}, 0}] = "uniform";
  options.facts[{ir::FunctionId{1}, ir::BlockId{0}, 1}] = "varies[world]";
  const std::string text = ir::print(module, options);
  CHECK(text.find("  x = 1" + std::string(55, ' ') + "; uniform\n") != std::string::npos);
  CHECK(text.find("  return" + std::string(54, ' ') + "; varies[world]\n") != std::string::npos);
  CHECK(ir::print(parsed(text)) == ir::print(module));
}

TEST_CASE("one function prints alone") {
  const ir::Module module = parsed(text_with("  return x\n"));
  CHECK(ir::print_function(module, ir::FunctionId{1}) == "func f(x) {\n^entry:\n  return x\n}\n");
}

TEST_CASE("parentheses stand only where the reader needs them") {
  const ir::Module module = parsed(text_with("  y = ((a * b) + ((c)))\n  y = (a * (b + c))\n  return\n"));
  const ir::Function& f = module.functions[ir::FunctionId{1}];
  const auto value = [&](size_t i) {
    return ir::print_expr(module, f, f.blocks[ir::BlockId{0}].instructions[i].value);
  };
  CHECK(value(0) == "a * b + c");
  CHECK(value(1) == "a * (b + c)");
}

TEST_CASE("a broken module prints what it can") {
  ir::Module module;
  ir::FunctionBuilder f(module, ir::add_function(module, "broken"));
  f.assign(f.name("x"), ir::ExprId{77}, {});
  f.function().blocks[ir::BlockId{0}].terminator = {.kind = ir::TerminatorKind::Jump, .successors = {}};
  f.function().parent = ir::FunctionId{9};
  f.function().exprs[ir::ExprId{0}].symbol = Symbol{1000};
  CHECK(ir::print(module) ==
        "func broken() {\n  parent <invalid>\n^entry:\n"
        "  `<invalid>` = <invalid>\n  jump ^<invalid>\n}\n");
}

}  // namespace ranklint::test
