// Whether two expressions hold the same, whatever they are called.
#include "analyzer/questions/value_numbers.h"

#include <catch2/catch.hpp>

#include "tests/questions/asked.h"

namespace ranklint::test {
namespace {

// Of what `first(...)` and `last(...)` are given in a function: whether it has one number.
bool is_same(const std::string& lines, const std::string& imports = "") {
  const Asked asked("func f(x, y, c) {\n^entry:\n" + lines + "  return\n}\n", imports);
  const FunctionCode code = asked.code("f");
  ValueNumbers numbers(asked.in());
  return numbers.of(code, argument_of(code, "first"), call_of(code, "first")) ==
         numbers.of(code, argument_of(code, "last"), call_of(code, "last"));
}

}  // namespace

TEST_CASE("a name has the number of what it was assigned, until it is assigned something else") {
  CHECK(is_same("  call first(x)\n  call last(x)\n"));
  CHECK(is_same("  z = x\n  call first(x)\n  call last(z)\n"));
  CHECK(is_same("  z = x\n  x = y\n  call first(y)\n  call last(x)\n"));
  CHECK_FALSE(is_same("  call first(x)\n  x = y\n  call last(x)\n"));
  CHECK_FALSE(is_same("  call first(x)\n  call last(y)\n"));
}

TEST_CASE("what several assignments may have given has one number as long as no other comes") {
  const std::string chosen = "  branch c ? ^then : ^join\n^then:\n  x = y\n  jump ^join\n^join:\n";
  CHECK(is_same(chosen + "  call first(x)\n  call last(x)\n"));
  CHECK_FALSE(is_same(chosen + "  call first(x)\n  call last(y)\n"));
  CHECK_FALSE(is_same("  call first(x)\n" + chosen + "  call last(x)\n"));
}

TEST_CASE("what is made alike of the same has one number, and a call has its own unless it joins a path") {
  CHECK(is_same("  z = x + 1\n  call first(z)\n  call last(x + 1)\n"));
  CHECK_FALSE(is_same("  call first(x + 1)\n  call last(x + 2)\n"));
  CHECK_FALSE(is_same("  %0 = call make(x)\n  %1 = call make(x)\n  call first(%0)\n  call last(%1)\n"));
  const std::string joined = "  %0 = call os.path.join(x, \"a\")\n  %1 = call os.path.join(x, \"a\")\n";
  CHECK(is_same(joined + "  call first(%0)\n  call last(%1)\n", "  import os\n"));
}

TEST_CASE("an attribute has one number until something of that name is assigned") {
  CHECK(is_same("  z = x\n  call first(x.a)\n  call last(z.a)\n"));
  CHECK_FALSE(is_same("  call first(x.a)\n  call last(x.b)\n"));
  CHECK_FALSE(is_same("  call first(x.a)\n  x.a = y\n  call last(x.a)\n"));
  CHECK(is_same("  call first(x.a)\n  x.b = y\n  call last(x.a)\n"));
}

TEST_CASE("a formatted text is known by its text and its operands, where the text is known") {
  CHECK(is_same("  call first(fstring\"{}.pt\"(x))\n  call last(fstring\"{}.pt\"(x))\n"));
  CHECK_FALSE(is_same("  call first(fstring\"{}.pt\"(x))\n  call last(fstring\"{}.bin\"(x))\n"));
  CHECK_FALSE(is_same("  call first(fstring\"{}.pt\"(x))\n  call last(fstring\"{}.pt\"(y))\n"));
  CHECK_FALSE(is_same("  call first(fstring(x))\n  call last(fstring(x))\n"));
}

TEST_CASE("an element has one number until some element is assigned") {
  CHECK(is_same("  call first(x[0])\n  call last(x[0])\n"));
  CHECK_FALSE(is_same("  call first(x[0])\n  call last(x[1])\n"));
  CHECK_FALSE(is_same("  call first(x[0])\n  y[1] = c\n  call last(x[0])\n"));
}

TEST_CASE("names that are assigned together have the numbers of their parts") {
  CHECK(is_same("  (z, w) = (x, y)\n  call first(y)\n  call last(w)\n"));
  CHECK_FALSE(is_same("  (z, w) = (x, y)\n  call first(x)\n  call last(w)\n"));
  CHECK_FALSE(is_same("  (z, w) = y\n  call first(z)\n  call last(w)\n"));
}

TEST_CASE("a library's function has one number by whatever name it is imported") {
  const std::string joined = "  %0 = call os.path.join(x, *y)\n  %1 = call p.join(x, *y)\n";
  CHECK(is_same(joined + "  call first(%0)\n  call last(%1)\n", "  import os\n  import os.path as p\n"));
}

TEST_CASE("a path begins with what it is made of first") {
  const auto begins_with_x = [](const std::string& lines) {
    const Asked asked("func f(x, y) {\n^entry:\n" + lines + "  return\n}\n", "  import os\n");
    const FunctionCode code = asked.code("f");
    ValueNumbers numbers(asked.in());
    const ValueNumber path = numbers.of(code, argument_of(code, "first"), call_of(code, "first"));
    return numbers.beginning(path) == numbers.of_parameter(code.key, 0);
  };
  CHECK(begins_with_x("  call first(x + y + \"c\")\n"));
  CHECK(begins_with_x("  %0 = call os.path.join(x, y)\n  call first(%0)\n"));
  CHECK_FALSE(begins_with_x("  call first(y + x)\n"));
  CHECK_FALSE(begins_with_x("  call first(x)\n"));
}

TEST_CASE("a callee calls a value by its parameter, and by the parts of one") {
  const Asked asked(
      "func f(x, y) {\n^entry:\n  z = x.a\n  call g(x)\n  x.b = y\n  call last(x.b)\n  return\n}\n"
      "func g(o) {\n^entry:\n  call use(o.a, o.b)\n  return\n}\n");
  const FunctionCode f = asked.code("f"), g = asked.code("g");
  ValueNumbers numbers(asked.in());
  const ProgramPoint call = call_of(f, "g"), use = call_of(g, "use"), last = call_of(f, "last");
  const std::map<ValueNumber, ValueNumber> given{
      {numbers.of(f, argument_of(f, "g"), call), numbers.of_parameter(g.key, 0)}};
  const ValueNumber a = numbers.of(f, instruction_at(f, {ir::BlockId{0}, 0}).value, {ir::BlockId{0}, 0});
  CHECK(numbers.in_callee(f, call, a, given) == numbers.of(g, argument_of(g, "use"), use));
  CHECK_FALSE(numbers.in_callee(f, call, numbers.of_parameter(f.key, 1), given).valid());
  // What `x.b` is after the call was nothing that the callee could read.
  const ValueNumber b = numbers.of(f, argument_of(f, "last"), last);
  CHECK_FALSE(numbers.in_callee(f, call, b, given).valid());
}

TEST_CASE("what is made of itself again and again is handed to a callee part by part, each once") {
  std::string doubled;
  for (int i = 0; i < 60; ++i) doubled += "  x = x + x\n";
  const Asked asked("func f(x) {\n^entry:\n  call g(x)\n" + doubled +
                    "  call last(x)\n  return\n}\nfunc g(o) {\n^entry:\n" + "  return\n}\n");
  const FunctionCode f = asked.code("f"), g = asked.code("g");
  ValueNumbers numbers(asked.in());
  const ProgramPoint call = call_of(f, "g");
  CHECK(numbers
            .in_callee(f, call, numbers.of(f, argument_of(f, "last"), call_of(f, "last")),
                       {{numbers.of_parameter(f.key, 0), numbers.of_parameter(g.key, 0)}})
            .valid());
}

}  // namespace ranklint::test
