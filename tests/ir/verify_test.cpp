// One case for each rule of docs/ir.md. Rules that the text form can break are shown in it; the others, by
// damaging a sound module.
#include "analyzer/ir/verify.h"

#include <catch2/catch.hpp>

#include "analyzer/ir/builder.h"
#include "tests/ir/ir_text.h"

namespace ranklint::test {

using namespace ir;

static std::string verdict(std::string_view text) { return joined(verify(parsed(text))); }

// The verdict on f's block with these lines and a return.
static std::string verdict_on(std::string_view lines) { return verdict(text_with(std::string(lines) + "  return\n")); }

static const char kSound[] = "  y = x.a[0]\n  z = call g(x, key=y)\n  return z\n";

// The verdict on a sound module after something has damaged its function f.
template <typename Damage>
static std::string verdict_after(Damage damage) {
  Module module = parsed(text_with(kSound));
  REQUIRE(verify(module).empty());
  damage(module, function_f(module));
  return joined(verify(module));
}

static Instruction& instruction(Function& f, size_t index) { return f.blocks[BlockId{0}].instructions[index]; }

TEST_CASE("a message names function, block and instruction") {
  CHECK(verdict_on("  y = 1\n  f = (g())\n") == "`f`, ^entry, instruction 1: the value holds a call\n");
}

TEST_CASE("the module has a function 0, named <module>, and no other of its kind") {
  CHECK(joined(verify(Module{})) == "the module has no function 0\n");
  CHECK(verdict("func f() {\n^entry:\n  return\n}\n") ==
        "`f`: function 0, and no other, is the module's code\n`f`: function 0 is named <module>\n");
  CHECK(verdict(text_with("  return\n") + "func g() {\n  kind module\n^entry:\n  return\n}\n") ==
        "`g`: function 0, and no other, is the module's code\n");
}

TEST_CASE("a class body is named after its class") {
  CHECK(verdict(text_with("  return\n") + "func g() {\n  kind class_body\n^entry:\n  return\n}\n") ==
        "`g`: a class body is named <class NAME>\n");
}

TEST_CASE("a function has a name") {
  CHECK(verdict_after([](Module&, Function& f) { f.name = {}; }) == "`f`: it has no name\n");
  CHECK(verdict_after([](Module&, Function& f) { f.qualified_name = Symbol{1000}; }) != "");
  CHECK(verdict_after([](Module&, Function& f) { f.globals.push_back({}); }) ==
        "`f`: a global or nonlocal has no name\n");
}

TEST_CASE("a function's parents are functions and end") {
  CHECK(verdict_after([](Module&, Function& f) { f.parent = FunctionId{7}; }) == "`f`: its parent is no function\n");
  CHECK(verdict_after([](Module&, Function& f) { f.parent = FunctionId{1}; }) ==
        "`f`: its parents go round in a circle\n");
  const std::string circle =
      "func g() {\n  parent h\n^entry:\n  return\n}\n"
      "func h() {\n  parent g\n^entry:\n  return\n}\n";
  CHECK(verdict(text_with("  return\n") + circle) ==
        "`g`: its parents go round in a circle\n`h`: its parents go round in a circle\n");
}

TEST_CASE("a method and its class know each other") {
  const std::string text = "class C() {\n  methods f\n}\nclass D() {\n}\n" + text_with("  return\n");
  CHECK(verdict(text) == "class `C`: a method does not name it as its owner\n");
  Module module = parsed(text);
  module.classes[ClassId{0}].methods.clear();
  function_f(module).owner = ClassId{0};
  CHECK(joined(verify(module)) == "`f`: its owner does not have it among its methods\n");
  function_f(module).owner = ClassId{5};
  CHECK(joined(verify(module)) == "`f`: its owner is no class\n");
}

TEST_CASE("a function has a block") {
  CHECK(verdict_after([](Module&, Function& f) { f.blocks = {}; }) == "`f`: it has no block\n");
}

TEST_CASE("labels are there and unique") {
  CHECK(verdict_after([](Module&, Function& f) { f.blocks[BlockId{0}].label = {}; }) == "`f`, ^?: it has no label\n");
  CHECK(verdict_after([](Module&, Function& f) { f.blocks.push_back(f.blocks[BlockId{0}]); }) ==
        "`f`, ^entry: another block has its label\n");
}

TEST_CASE("handlers are blocks and end") {
  CHECK(verdict_after([](Module&, Function& f) { f.blocks[BlockId{0}].handler = BlockId{3}; }) ==
        "`f`, ^entry: its handler is no block\n");
  CHECK(verdict_after([](Module&, Function& f) { f.blocks[BlockId{0}].handler = BlockId{0}; }) ==
        "`f`, ^entry: its handlers go round in a circle\n");
}

TEST_CASE("a terminator has as many successors as its kind has") {
  const auto after = [](TerminatorKind kind, std::array<BlockId, 2> successors) {
    return verdict_after([&](Module&, Function& f) {
      Terminator& t = f.blocks[BlockId{0}].terminator;
      t.kind = kind;
      t.value = kind == TerminatorKind::Branch ? instruction(f, 0).value : ExprId{};
      t.successors = successors;
    });
  };
  const std::string wrong = "`f`, ^entry, terminator: wrong successors\n";
  CHECK(after(TerminatorKind::Jump, {BlockId{0}, {}}) == "");
  CHECK(after(TerminatorKind::Jump, {BlockId{1}, {}}) == wrong);
  CHECK(after(TerminatorKind::Jump, {BlockId{0}, BlockId{0}}) == wrong);
  CHECK(after(TerminatorKind::Branch, {BlockId{0}, {}}) == wrong);
  CHECK(after(TerminatorKind::Return, {BlockId{0}, {}}) == wrong);
}

TEST_CASE("only branches and iterations decide loops, and an iteration always does") {
  const auto after = [](TerminatorKind kind, bool is_loop) {
    return verdict_after([&](Module&, Function& f) {
      Terminator& t = f.blocks[BlockId{0}].terminator;
      t = {.kind = kind, .is_loop = is_loop, .value = instruction(f, 0).value, .successors = {}};
      if (kind != TerminatorKind::Iterate) return;
      t.target = instruction(f, 0).target;
      t.successors = {BlockId{0}, BlockId{0}};
    });
  };
  CHECK(after(TerminatorKind::Return, true) == "`f`, ^entry, terminator: it decides no loop\n");
  CHECK(after(TerminatorKind::Iterate, false) == "`f`, ^entry, terminator: an iteration is a loop\n");
  CHECK(after(TerminatorKind::Iterate, true) == "");
}

TEST_CASE("operands are there, or not, as the kind says") {
  const auto after = [](auto change) {
    return verdict_after([&](Module&, Function& f) { change(instruction(f, 0)); });
  };
  const std::string at = "`f`, ^entry, instruction 0: ";
  CHECK(after([](Instruction& i) { i.value = {}; }) == at + "the value is missing\n");
  CHECK(after([](Instruction& i) { i.target = {}; }) == at + "the target is missing\n");
  CHECK(after([](Instruction& i) { i.value = ExprId{999}; }) == at + "the value is out of bounds\n");
  CHECK(after([](Instruction& i) { i.kind = InstructionKind::Assert; }) == at + "it has a target\n");
  CHECK(after([](Instruction& i) { i.kind = InstructionKind::Delete; }) == at + "it has a value\n");
}

TEST_CASE("targets are places") {
  CHECK(verdict_on("  (a, [b.c, *d[0]]) = x\n") == "");
  CHECK(verdict_on("  (a + b) = x\n") == "`f`, ^entry, instruction 0: the target is no place\n");
  CHECK(verdict_on("  (a, 1) = x\n") == "`f`, ^entry, instruction 0: the target is no place\n");
  CHECK(verdict_on("  del None\n") == "`f`, ^entry, instruction 0: the target is no place\n");
  CHECK(verdict_on("  jump ^loop\n^loop:\n  for 1 in x ? ^loop : ^end\n^end:\n") ==
        "`f`, ^loop, terminator: the target is no place\n");
}

TEST_CASE("no block evaluates a call inside of a tree") {
  CHECK(verdict_on("  y = [1, g(x)]\n") == "`f`, ^entry, instruction 0: the value holds a call\n");
  CHECK(verdict_on("  y[g()] = 1\n") == "`f`, ^entry, instruction 0: the target holds a call\n");
  CHECK(verdict_on("  call (g())()\n") == "`f`, ^entry, instruction 0: the value holds a call\n");
  CHECK(verdict_on("  call g(k=h())\n") == "`f`, ^entry, instruction 0: the argument holds a call\n");
  CHECK(verdict_on("  branch g() ? ^a : ^a\n^a:\n") == "`f`, ^entry, terminator: the value holds a call\n");
  const std::string elsewhere = "func g(a: b() = c()) -> d() {\n  decorator e(k=1, **o)\n^entry:\n  return\n}\n";
  CHECK(verdict(text_with("  return\n") + elsewhere) == "");
}

TEST_CASE("only calls have arguments, and they are in bounds") {
  CHECK(verdict_after([](Module&, Function& f) { instruction(f, 0).argument_count = 1; }) ==
        "`f`, ^entry, instruction 0: it has arguments, but is no call\n");
  CHECK(verdict_after([](Module&, Function& f) { instruction(f, 1).argument_count = UINT32_MAX; }) ==
        "`f`, ^entry, instruction 1: its arguments are out of bounds\n");
}

TEST_CASE("a keyword argument, and no other, has a keyword") {
  CHECK(verdict_after([](Module&, Function& f) { f.arguments[0].keyword = f.arguments[1].keyword; }) ==
        "`f`, ^entry, instruction 1: a keyword argument, and no other, has a keyword\n");
  CHECK(verdict_after([](Module&, Function& f) { f.arguments[1].keyword = {}; }) != "");
}

TEST_CASE("only `enter`, `leave` and `unwind` are async") {
  CHECK(verdict_after([](Module&, Function& f) { instruction(f, 0).is_async = true; }) ==
        "`f`, ^entry, instruction 0: only `enter`, `leave` and `unwind` are async\n");
}

TEST_CASE("a context manager that is left was entered") {
  CHECK(verdict_on("  enter x.lock\n  leave x.lock\n") == "");
  CHECK(verdict_on("  enter x.lock\n  leave x.other\n") ==
        "`f`, ^entry, instruction 1: no `enter` has this context manager\n");
  CHECK(verdict_on("  enter x\n  async leave x\n") != "");
}

TEST_CASE("what yields is a generator") {
  CHECK(verdict_on("  yield x\n") == "`f`, ^entry, instruction 0: it yields, but the function is no generator\n");
  CHECK(verdict_on("  y = yield from x\n") != "");
}

TEST_CASE("`catch` is the first of its block") {
  CHECK(verdict_on("  e = catch x\n") == "");
  CHECK(verdict_on("  y = 1\n  e = catch x\n") ==
        "`f`, ^entry, instruction 1: `catch` is not the first of its block\n");
}

TEST_CASE("an unknown instruction says what it was") {
  CHECK(verdict_after([](Module&, Function& f) { instruction(f, 0).kind = InstructionKind::Unknown; }) ==
        "`f`, ^entry, instruction 0: an unknown instruction says what it was\n");
}

TEST_CASE("an import is one that the text form can write") {
  const auto after = [](const char* line, auto change) {
    Module module = parsed(text_with(std::string(line) + "\n  return\n"));
    REQUIRE(verify(module).empty());
    change(module, instruction(function_f(module), 0));
    return joined(verify(module));
  };
  const std::string at = "`f`, ^entry, instruction 0: ";
  CHECK(after("  import a.b", [](Module&, Instruction& i) {
          i.symbol = {};
        }).starts_with(at + "the module is missing\n"));
  CHECK(after("  import a.b", [](Module&, Instruction& i) { i.level = 1; }) == at + "a relative import wants a name\n");
  CHECK(after("  import a.b", [](Module&, Instruction& i) { i.target = {}; }) == at + "the import has no target\n");
  CHECK(after("  import a.b as c", [](Module&, Instruction& i) { i.binds_leaf = false; }) ==
        at + "`import a.b` binds `a`\n");
  CHECK(after("  from a import b", [](Module&, Instruction& i) { i.binds_leaf = true; }) ==
        at + "only `import a.b as c` binds the leaf\n");
  CHECK(after("  from a import b", [](Module& m, Instruction& i) { i.name = m.symbols.intern("*"); }) ==
        at + "`*` has no target\n");
  CHECK(after("  x = 1", [](Module& m, Instruction& i) { i.symbol = m.symbols.intern("a"); }) ==
        at + "only an import has a module\n");
}

TEST_CASE("an import binds a name") {
  CHECK(verdict_after([](Module& m, Function& f) {
          Instruction& i = instruction(f, 0);
          i = {.kind = InstructionKind::Import, .binds_leaf = true, .target = i.value, .symbol = m.symbols.intern("a")};
        }) == "`f`, ^entry, instruction 0: an import binds a name\n");
}

TEST_CASE("parameters have names and stand in order") {
  CHECK(verdict_after([](Module&, Function& f) { f.parameters[0].name = {}; }) == "`f`: a parameter has no name\n");
  CHECK(verdict_after([](Module&, Function& f) { f.parameters[0].annotation = ExprId{999}; }) ==
        "`f`: a parameter's expression is out of bounds\n");
  const auto kinds = [](std::vector<ParameterKind> given) {
    return verdict_after([&](Module&, Function& f) {
      const Parameter p = f.parameters[0];
      f.parameters.clear();
      for (const ParameterKind kind : given) f.parameters.push_back({.name = p.name, .kind = kind});
    });
  };
  using enum ParameterKind;
  CHECK(kinds({PositionalOnly, Positional, Star, KeywordOnly, DoubleStar}) == "");
  CHECK(kinds({Positional, PositionalOnly}) == "`f`: the parameters are out of order\n");
  CHECK(kinds({Star, Star}) != "");
  CHECK(kinds({DoubleStar, Positional}) != "");
}

TEST_CASE("a function's own expressions are in bounds") {
  CHECK(verdict_after([](Module&, Function& f) { f.return_annotation = ExprId{999}; }) ==
        "`f`: the return annotation is out of bounds\n");
  CHECK(verdict_after([](Module&, Function& f) { f.decorators.push_back({}); }) ==
        "`f`: a decorator is out of bounds\n");
}

TEST_CASE("an expression's children are in bounds and stand before it") {
  const auto after = [](auto change) {
    return verdict_after([&](Module&, Function& f) { change(f, f.exprs[instruction(f, 0).value]); });
  };
  CHECK(after([](Function&, Expr& e) { e.first_child = UINT32_MAX; }).ends_with("its children are out of bounds\n"));
  CHECK(after([](Function& f, Expr& e) {
          f.children[e.first_child] = f.exprs.next_id();
        }).ends_with("a child does not stand before it in the pool\n"));
  CHECK(after([](Function& f, Expr& e) {
          f.children[e.first_child] = instruction(f, 0).value;
        }).ends_with("a child does not stand before it in the pool\n"));
}

TEST_CASE("an expression has the children, the operator, the symbol and the definition of its kind") {
  const auto after = [](auto change) {
    return verdict_after([&](Module&, Function& f) { change(f.exprs[instruction(f, 0).value]); });
  };
  CHECK(after([](Expr& e) { e.child_count = 1; }).ends_with("wrong number of children\n"));
  CHECK(after([](Expr& e) { e.kind = ExprKind::Binary; }).ends_with("its operator does not fit its kind\n"));
  CHECK(after([](Expr& e) { e.op = Operator::Not; }).ends_with("its operator does not fit its kind\n"));
  CHECK(after([](Expr& e) { e = {.kind = ExprKind::Name}; }).find("it has no symbol") != std::string::npos);
  CHECK(after([](Expr& e) {
          e = {.kind = ExprKind::Function, .first_child = 2};
        }).ends_with("it refers to no function\n"));
  CHECK(after([](Expr& e) { e = {.kind = ExprKind::Class}; }).ends_with("it refers to no class\n"));
  CHECK(after([](Expr& e) { e.kind = ExprKind::And; }) == "");
}

TEST_CASE("a dict has a value for each key, and `**` only as a key") {
  const auto after = [](std::vector<ExprKind> kinds, ExprKind parent) {
    return verdict_after([&](Module& m, Function&) {
      FunctionBuilder b(m, FunctionId{1});
      std::vector<ExprId> items;
      for (const ExprKind kind : kinds) items.push_back(b.expr(kind));
      b.expr(parent, items);
    });
  };
  CHECK(after({ExprKind::Unpack, ExprKind::None}, ExprKind::Dict) == "");
  CHECK(after({ExprKind::None}, ExprKind::Dict).ends_with("a key has no value\n"));
  CHECK(after({ExprKind::None, ExprKind::Unpack}, ExprKind::Dict).ends_with("`**` is no key of a dict\n"));
  CHECK(after({ExprKind::Unpack}, ExprKind::Tuple).ends_with("`**` is no key of a dict\n"));
}

TEST_CASE("a keyword argument stands in a call") {
  const auto after = [](ExprKind parent) {
    return verdict_after([&](Module& m, Function&) {
      FunctionBuilder b(m, FunctionId{1});
      const ExprId keyword = b.expr(ExprKind::Keyword, {b.none()}, "k");
      b.expr(parent, {b.name("g"), keyword});
    });
  };
  CHECK(after(ExprKind::Call) == "");
  CHECK(after(ExprKind::Tuple).ends_with("a keyword argument is in no call\n"));
}

TEST_CASE("an operand is a whole expression") {
  CHECK(verdict_after([](Module& m, Function& f) {
          instruction(f, 0).value = FunctionBuilder(m, FunctionId{1}).expr(ExprKind::Unpack);
        }) == "`f`, ^entry, instruction 0: an operand is part of a dict or call\n");
}

TEST_CASE("trees are neither too deep nor, sharing counted as often as it is reached, too large") {
  const auto doubled = [](uint32_t levels, uint32_t width) {
    return verdict_after([&](Module&, Function& f) {
      for (uint32_t i = 0; i < levels; ++i) {
        const ExprId last{static_cast<uint32_t>(f.exprs.size() - 1)};
        const auto first = static_cast<uint32_t>(f.children.size());
        for (uint32_t c = 0; c < width; ++c) f.children.push_back(last);
        f.exprs.push_back({.kind = ExprKind::Tuple, .first_child = first, .child_count = width});
      }
    });
  };
  CHECK(doubled(kMaxExpressionDepth - 10, 1) == "");
  CHECK(doubled(kMaxExpressionDepth, 1).ends_with("its tree is too deep\n"));
  CHECK(doubled(16, 2) == "");
  CHECK(doubled(30, 2).ends_with("its tree is too large\n"));
}

TEST_CASE("ranges do not end before they begin") {
  const std::string message = "its range ends before it begins\n";
  CHECK(verdict_on("  x = 1 @2:5-2:4\n") == "`f`, ^entry, instruction 0: " + message);
  CHECK(verdict_on("  x = 1 @2:5-1:9\n") == "`f`, ^entry, instruction 0: " + message);
  CHECK(verdict_on("  x = 1 @2:5-3:1\n") == "");
  CHECK(verdict("pragma \"p\" @2:1-1:1\n" + text_with("  return\n")) == "pragma `p`: " + message);
  CHECK(verdict("start \"a.py\" @2:1-1:1\n" + text_with("  return\n")) == "start `a.py`: " + message);
  CHECK(verdict("diagnostic \"d\" @2:1-1:1\n" + text_with("  return\n")) == "diagnostic `d`: " + message);
  CHECK(verdict("class C() @2:1-1:1 {\n}\n" + text_with("  return\n")) == "class `C`: " + message);
  CHECK(verdict_after([](Module&, Function& f) { f.range.end_line = 3; }) == "`f`: a range ends before it begins\n");
}

TEST_CASE("a class has a scope, a body that is one, and expressions of its scope") {
  const auto after = [](auto change) {
    Module module = parsed("class C(x, k=1) {\n  body <class C>\n}\n" + text_with("  return\n") +
                           "func <class C>() {\n^entry:\n  return\n}\n");
    REQUIRE(verify(module).empty());
    change(module.classes[ClassId{0}]);
    return joined(verify(module));
  };
  CHECK(after([](Class& c) { c.name = {}; }) == "class `C`: it has no name\n");
  CHECK(after([](Class& c) { c.scope = {}; }) == "class `C`: its scope is no function\n");
  CHECK(after([](Class& c) { c.body = FunctionId{1}; }) == "class `C`: its body is no class body\n");
  CHECK(after([](Class& c) { c.scope = FunctionId{1}; }).starts_with("class `C`: a base is out of bounds\n"));
  CHECK(after([](Class& c) { c.decorators.push_back({}); }) == "class `C`: a decorator is out of bounds\n");
  CHECK(after([](Class& c) { c.keywords[0].value = {}; }) == "class `C`: a keyword is out of bounds\n");
  CHECK(after([](Class& c) { c.keywords[0].kind = ArgumentKind::Positional; }) ==
        "class `C`: its keywords hold something else\n");
}

TEST_CASE("an annotation is about a name or attribute of a function") {
  CHECK(verdict(text_with("  return\n") + "annotation f: x.y: int\n") == "");
  CHECK(verdict(text_with("  return\n") + "annotation f: x[0]: int\n") ==
        "an annotation in `f`: its target is no name or attribute\n");
  Module module = parsed(text_with("  return\n") + "annotation f: x: int\n");
  module.annotations[0].function = FunctionId{5};
  CHECK(joined(verify(module)) == "an annotation: its function is none\n");
  module.annotations[0] = {.function = FunctionId{1}, .target = {}, .annotation = ExprId{0}};
  CHECK(joined(verify(module)) == "an annotation in `f`: it is out of bounds\n");
}

}  // namespace ranklint::test
