// A function's text: what a name holds, where an expression comes from, what is taken out of what.
#include "analyzer/questions/code.h"

#include <catch2/catch.hpp>

#include "analyzer/questions/callee.h"
#include "analyzer/questions/derivation.h"
#include "analyzer/questions/subscripts.h"
#include "tests/questions/asked.h"

namespace ranklint::test {
namespace {

Symbol name_in(const FunctionCode& code, std::string_view name) { return code.text.symbols.find(name); }

std::string names_of(const FunctionCode& code, const std::set<Symbol>& symbols) {
  std::set<std::string> names;
  for (const Symbol s : symbols) names.emplace(code.text.text(s));
  std::string list;
  for (const std::string& name : names) list += (list.empty() ? "" : " ") + name;
  return list;
}

}  // namespace

TEST_CASE("a name holds what reaches it: of two ways the assignments of both, before any the parameter") {
  const Asked asked(
      "func f(x, c) {\n^entry:\n  call first(x)\n  y = x\n  branch c ? ^then : ^join\n^then:\n  y = call make()\n"
      "  jump ^join\n^join:\n  call last(y)\n  y = 3\n  call over(y)\n  return\n}\n");
  const FunctionCode code = asked.code("f");
  const Symbol x = name_in(code, "x"), y = name_in(code, "y");
  const Reaching first = code.reaching(x, call_of(code, "first"));
  CHECK(first.entry);
  CHECK(first.definitions.empty());
  const Reaching last = code.reaching(y, call_of(code, "last"));
  CHECK(last.definitions.size() == 2);
  CHECK_FALSE(last.entry);
  const Reaching over = code.reaching(y, call_of(code, "over"));
  REQUIRE(over.definitions.size() == 1);
  CHECK(over.definitions[0].direct);
  CHECK(over.definitions[0].instruction->kind == ir::InstructionKind::Assign);
  CHECK(code.parameter(x) == 0);
  CHECK(code.parameter(y) == -1);
}

TEST_CASE("in a loop what the last round gave reaches its head, and the element is a definition without instruction") {
  const Asked asked(
      "func f(items) {\n^entry:\n  y = 0\n  jump ^loop\n^loop:\n  for item in items ? ^body : ^end\n^body:\n"
      "  call use(item, y)\n  y = item\n  jump ^loop\n^end:\n  return\n}\n");
  const FunctionCode code = asked.code("f");
  CHECK(code.reaching(name_in(code, "y"), call_of(code, "use")).definitions.size() == 2);
  const Reaching item = code.reaching(name_in(code, "item"), call_of(code, "use"));
  REQUIRE(item.definitions.size() == 1);
  CHECK(item.definitions[0].instruction == nullptr);
}

TEST_CASE("an instruction reads its operands and the object that its target lies in") {
  const Asked asked("func f(x, y) {\n^entry:\n  x.part = y\n  z = y\n  return\n}\n");
  const FunctionCode code = asked.code("f");
  const auto& instructions = code.ir.blocks[ir::BlockId{0}].instructions;
  const auto is = [&](std::string_view name) { return [s = name_in(code, name)](Symbol other) { return s == other; }; };
  CHECK(code.reads(instructions[0], is("x")));
  CHECK(code.reads(instructions[0], is("y")));
  CHECK_FALSE(code.reads(instructions[1], is("z")));
  CHECK_FALSE(code.defines(instructions[0], name_in(code, "x")));
  CHECK(code.defines(instructions[1], name_in(code, "z")));
  CHECK(code.root(instructions[0].target) == name_in(code, "x"));
  CHECK(code.name(instructions[0].target).empty());
  CHECK(code.name(instructions[1].target) == "z");
}

TEST_CASE("a function is named by itself, as a method of self, or in a text of code") {
  const Asked asked(
      "class A() {\n  body <class A>\n}\nfunc <class A>() {\n^entry:\n  go = &A.go\n  helper = &A.helper\n  return\n}\n"
      "func A.go(self) {\n  owner A\n^entry:\n  call self.helper()\n  call train()\n  call other()\n  return\n}\n"
      "func A.helper(self) {\n  owner A\n^entry:\n  return\n}\n"
      "func train() {\n^entry:\n  return\n}\n",
      "  A = class A\n");
  const FunctionCode code = asked.code("A.go");
  const auto named = [&](std::string_view callee) {
    return function_named(asked.index(), code, instruction_at(code, call_of(code, callee)).value);
  };
  CHECK(named("helper") == asked.function("A.helper"));
  CHECK(named("train") == asked.function("train"));
  CHECK_FALSE(named("other").valid());
  CHECK(function_called_in(asked.index(), code, "train()") == asked.function("train"));
  CHECK_FALSE(function_called_in(asked.index(), code, "1 + 1").valid());
}

TEST_CASE("an expression derives from what its calls and elements are taken from, and not from an index") {
  const Asked asked(
      "func f(x, i, kept) {\n^entry:\n  y = call convert(x)\n  z = call y.to(\"cpu\")\n  call use(z.part[i])\n  "
      "return\n}\n");
  const FunctionCode code = asked.code("f");
  const Derivation from = derivation_of(code, argument_of(code, "use"), call_of(code, "use"));
  CHECK(from.parameters == std::set<int>{0});
  CHECK(names_of(code, from.names) == "x y z");
  CHECK(from.calls == std::vector<ProgramPoint>{call_of(code, "convert"), call_of(code, "to")});
}

TEST_CASE("an element derives from what a loop goes through, a name that is bound nowhere is free") {
  const Asked asked(
      "func f(items) {\n^entry:\n  jump ^loop\n^loop:\n  for item in items ? ^body : ^end\n^body:\n"
      "  call use(item, LIMIT)\n  jump ^loop\n^end:\n  return\n}\n");
  const FunctionCode code = asked.code("f");
  CHECK(derivation_of(code, argument_of(code, "use", 0), call_of(code, "use")).parameters == std::set<int>{0});
  const Derivation limit = derivation_of(code, argument_of(code, "use", 1), call_of(code, "use"));
  CHECK(names_of(code, limit.free) == "LIMIT");
  CHECK(limit.parameters.empty());
}

TEST_CASE("what a call gives for a parameter: by position, by keyword, behind the receiver") {
  const Asked asked(
      "func f(x, y) {\n^entry:\n  call g(x, b=y)\n  call x.g(y)\n  return\n}\nfunc g(a, b) {\n^entry:\n  return\n}\n");
  const FunctionCode code = asked.code("f");
  const auto& instructions = code.ir.blocks[ir::BlockId{0}].instructions;
  const auto given = [&](size_t call, int parameter, bool has_receiver) {
    const ir::ExprId e =
        argument_for(code, instructions[call], asked.index(), asked.function("g"), parameter, has_receiver);
    return e.valid() ? std::string(code.name(e)) : "";
  };
  CHECK(given(0, 0, false) == "x");
  CHECK(given(0, 1, false) == "y");
  CHECK(given(1, 1, true) == "y");
  CHECK(given(1, 1, false).empty());
  CHECK(code.name(first_argument(code, instructions[0])) == "x");
}

TEST_CASE("each subscript is visited from the outside inwards, also what a branch asks") {
  const Asked asked(
      "func f(x, i, j) {\n^entry:\n  call use(x[i].a[j])\n  branch x[0] ? ^then : ^then\n^then:\n  return\n}\n");
  const FunctionCode code = asked.code("f");
  std::string visited;
  for_each_subscript(code, [&](const Subscript& s) {
    const std::string_view index = code.name(s.index);
    visited += (index.empty() ? "0" : std::string(index)) + (s.at.instruction == 0 ? " " : "! ");
  });
  CHECK(visited == "j i 0! ");
}

TEST_CASE("a call goes by the last part of its callee, and plays the roles of what it names") {
  const Asked asked(
      "func f(x, model) {\n^entry:\n  call torch.load(x)\n  call model.load(x)\n  %0 = call open(x, \"w\")\n"
      "  %1 = call open(x)\n  call model[0](x)\n  return\n}\n");
  const FunctionCode code = asked.code("f");
  const auto& instructions = code.ir.blocks[ir::BlockId{0}].instructions;
  CHECK(name_of_callee(code, instructions[0]) == "load");
  CHECK(name_of_callee(code, instructions[2]) == "open");
  CHECK(name_of_callee(code, instructions[4]).empty());
  CHECK(plays(asked.in(), code, instructions[0], Role::ReadsFile));
  CHECK_FALSE(plays(asked.in(), code, instructions[1], Role::ReadsFile));
  CHECK(opens_to_write(code, instructions[2]));
  CHECK_FALSE(opens_to_write(code, instructions[3]));
}

}  // namespace ranklint::test
