#include "analyzer/ir/builder.h"

#include <catch2/catch.hpp>

#include "analyzer/ir/print.h"
#include "tests/ir/ir_text.h"

namespace ranklint::test {

using namespace ir;

static Module with_module_function() {
  Module module;
  FunctionBuilder(module, add_function(module, "<module>", FunctionKind::Module)).return_({}, {});
  return module;
}

TEST_CASE("a built function prints as what was asked for, and is sound") {
  Module module = with_module_function();
  FunctionBuilder f(module, add_function(module, "Trainer.step"));
  const BlockId log = f.add_block("log");
  const BlockId done = f.add_block("done");
  const ExprId rank = f.call(f.attribute(f.name("dist"), "get_rank"), {}, {});
  f.branch(f.binary(Operator::Equal, rank, f.integer(0)), log, done, {});
  f.set_block(log);
  f.call(f.name("reduce"), {{.value = f.name("loss")}, {f.none(), ArgumentKind::Keyword, "group"}}, {}, f.name("x"));
  f.jump(done);
  f.set_block(done);
  f.return_(f.await(f.name("x"), {}), {});

  CHECK(joined(verify(module)) == "");
  CHECK(print_function(module, f.id()) ==
        "func Trainer.step() {\n"
        "^entry:\n"
        "  %0 = call dist.get_rank()\n"
        "  branch %0 == 0 ? ^log : ^done\n"
        "^log:\n"
        "  x = call reduce(loss, group=None)\n"
        "  jump ^done\n"
        "^done:\n"
        "  %1 = await x\n"
        "  return %1\n"
        "}\n");
}

TEST_CASE("labels that would collide get a number") {
  Module module = with_module_function();
  FunctionBuilder f(module, FunctionId{0});
  std::vector<std::string> labels;
  for (const char* hint : {"then", "then", "then2", "then", "entry"})
    labels.emplace_back(module.text(f.function().blocks[f.add_block(hint)].label));
  CHECK(labels == std::vector<std::string>{"then", "then2", "then22", "then3", "entry2"});
}

TEST_CASE("a second terminator of a block is ignored") {
  Module module;
  FunctionBuilder f(module, add_function(module, "<module>", FunctionKind::Module));
  CHECK_FALSE(f.terminated());
  f.return_(f.integer(1), {});
  f.jump(f.block());
  CHECK(f.terminated());
  CHECK(f.function().blocks[f.block()].terminator.kind == TerminatorKind::Return);
}

TEST_CASE("a new block gets the handler in force") {
  Module module;
  FunctionBuilder f(module, add_function(module, "<module>", FunctionKind::Module));
  const BlockId handler = f.add_block("except");
  f.set_handler(handler);
  const BlockId body = f.add_block("try");
  CHECK(f.function().blocks[body].handler == handler);
  CHECK_FALSE(f.function().blocks[handler].handler.valid());
}

TEST_CASE("an expression that would be too deep becomes unknown") {
  Module module = with_module_function();
  FunctionBuilder f(module, FunctionId{0});
  ExprId e = f.name("x");
  for (uint32_t i = 1; i < kMaxExpressionDepth; ++i) e = f.unary(Operator::Negate, e);
  CHECK(f.function().exprs[e].kind == ExprKind::Unary);
  CHECK(f.depth(e) == kMaxExpressionDepth);
  CHECK(joined(verify(module)) == "");
  CHECK(f.function().exprs[f.unary(Operator::Negate, e)].kind == ExprKind::Unknown);
}

TEST_CASE("a builder of a function that has code takes fresh temporaries") {
  Module module;
  const FunctionId id = add_function(module, "<module>", FunctionKind::Module);
  FunctionBuilder(module, id).call(FunctionBuilder(module, id).name("f"), {}, {});
  FunctionBuilder again(module, id);
  CHECK(print_expr(module, again.function(), again.temporary()) != "%0");
}

TEST_CASE("the last part of a qualified name begins behind the last dot outside of brackets") {
  CHECK(last_part("a.b.c") == "c");
  CHECK(last_part("plain") == "plain");
  CHECK(last_part("f.<lambda>") == "<lambda>");
  CHECK(last_part("f.<lambda>.<listcomp>") == "<listcomp>");
  CHECK(last_part("f.<class a.b>") == "<class a.b>");
}

TEST_CASE("an absent part of a slice is None") {
  Module module = with_module_function();
  FunctionBuilder f(module, FunctionId{0});
  const ExprId slice = f.slice({}, f.integer(3), {});
  CHECK(print_expr(module, f.function(), f.subscript(f.name("x"), slice)) == "x[:3]");
}

}  // namespace ranklint::test
