// Which assignment a value comes from.
#include "analyzer/flow/value_versions.h"

#include <catch2/catch.hpp>

#include "analyzer/ir/parse.h"

namespace ranklint::test {
namespace {

// Whether `x` has one version before the calls of `first` and of `last`, which a function makes once each.
bool is_same(const std::string& blocks) {
  Result<ir::Module> module = ir::parse(
      "module \"a.py\"\nlanguage \"python\"\nfunc <module>() {\n^entry:\n  f = &f\n  return\n}\nfunc f(x, y, c) {\n" +
          blocks + "}\n",
      "a.py");
  if (!module) FAIL("line " << module.error().line << ": " << module.error().message << "\n" << blocks);
  const ir::Function& f = module->functions[ir::FunctionId{1}];
  const FlowGraph graph(f);
  ValueVersions versions(f, graph);
  const auto before_call = [&](std::string_view name) {
    for (ir::BlockId b{0}; b.index < f.blocks.size(); ++b.index)
      for (uint32_t i = 0; i < f.blocks[b].instructions.size(); ++i) {
        const ir::Instruction& call = f.blocks[b].instructions[i];
        if (call.kind == ir::InstructionKind::Call && module->text(f.exprs[call.value].symbol) == name)
          return versions.at({.name = module->symbols.find("x")}, b, i);
      }
    FAIL("no call of " << name);
    return ValueVersion{};
  };
  return before_call("first") == before_call("last");
}

}  // namespace

TEST_CASE("what nothing is assigned has one version, through branches, loops and handlers") {
  CHECK(
      is_same("^entry:\n  call first()\n  branch c ? ^then : ^join\n^then:\n  y = 1\n  jump ^join\n^join:\n"
              "  call last()\n  return\n"));
  CHECK(
      is_same("^entry:\n  call first()\n  jump ^loop\n^loop:\n  for i in y ? ^body : ^end\n^body:\n  call use()\n"
              "  jump ^loop\n^end:\n  call last()\n  return\n"));
  CHECK(
      is_same("^entry:\n  call first()\n  jump ^try\n^try: handler ^catch\n  y = call get()\n  jump ^end\n^catch:\n"
              "  catch\n  jump ^end\n^end:\n  call last()\n  return\n"));
}

TEST_CASE("what nothing is assigned in loops within loops has one version, whichever is asked for first") {
  const std::string loops =
      "^entry:\n  call first()\n  jump ^outer\n^outer:\n  for i in y ? ^body : ^end\n^body:\n  jump ^inner\n"
      "^inner:\n  for j in y ? ^round : ^done\n^round:\n";
  CHECK(is_same(loops + "  call last()\n  jump ^inner\n^done:\n  jump ^outer\n^end:\n  return\n"));
  CHECK_FALSE(is_same(loops + "  call last()\n  jump ^inner\n^done:\n  x = 1\n  jump ^outer\n^end:\n  return\n"));
  CHECK(is_same(loops + "  jump ^deep\n^deep:\n  for k in y ? ^work : ^over\n^work:\n  call last()\n  jump ^deep\n"
                        "^over:\n  jump ^inner\n^done:\n  jump ^outer\n^end:\n  return\n"));
}

TEST_CASE("a version begins where different ones meet") {
  CHECK_FALSE(
      is_same("^entry:\n  call first()\n  branch c ? ^then : ^join\n^then:\n  x = 1\n  jump ^join\n^join:\n"
              "  call last()\n  return\n"));
  CHECK(
      is_same("^entry:\n  branch c ? ^then : ^join\n^then:\n  x = 1\n  jump ^join\n^join:\n  call first()\n"
              "  call last()\n  return\n"));
}

TEST_CASE("in a loop that assigns, a round begins with another version than it ends with") {
  CHECK_FALSE(
      is_same("^entry:\n  jump ^loop\n^loop:\n  for i in y ? ^body : ^end\n^body:\n  call first()\n"
              "  branch c ? ^then : ^join\n^then:\n  x = 1\n  jump ^join\n^join:\n  call last()\n  jump ^loop\n"
              "^end:\n  return\n"));
}

TEST_CASE("a handler may see any of the values that the failing block had") {
  const std::string rest = "  jump ^end\n^catch:\n  catch\n  call last()\n  jump ^end\n^end:\n  return\n";
  CHECK_FALSE(is_same("^entry:\n  call first()\n  jump ^try\n^try: handler ^catch\n  x = call get()\n" + rest));
  CHECK_FALSE(
      is_same("^entry:\n  jump ^try\n^try: handler ^catch\n  x = 1\n  call get()\n  x = 2\n  call first()\n" + rest));
}

}  // namespace ranklint::test
