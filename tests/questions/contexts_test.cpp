// Which `with` blocks are open where.
#include "analyzer/questions/contexts.h"

#include <catch2/catch.hpp>

#include "tests/questions/asked.h"

namespace ranklint::test {

TEST_CASE("contexts nest, and those of one way are open on that way only") {
  const Asked asked(
      "func f(x, c) {\n^entry:\n  call before(x)\n  %0 = call torch.no_grad()\n  %1 = enter %0\n  call outer(x)\n"
      "  branch c ? ^then : ^join\n^then:\n  %2 = call mine(x)\n  %3 = enter %2\n  call inner(x)\n  leave %2\n"
      "  call again(x)\n  jump ^join\n^join:\n  call last(x)\n  leave %0\n  call after(x)\n  return\n}\n"
      "func mine(x) {\n  generator\n^entry:\n  yield x\n  return\n}\n");
  const FunctionCode code = asked.code("f");
  const Contexts contexts(asked.index(), asked.summary("f"));
  const auto open = [&](std::string_view call) {
    std::string names;
    for (const OpenContext& context : contexts.open_at(call_of(code, call)))
      names += std::string(names.empty() ? "" : ", ") + (context.function.valid() ? "own " : "") + context.name;
    return names;
  };
  CHECK(open("before").empty());
  CHECK(open("outer") == "torch.no_grad");
  CHECK(open("inner") == "torch.no_grad, own mine");
  CHECK(open("again") == "torch.no_grad");
  CHECK(open("last") == "torch.no_grad");
  CHECK(open("after").empty());
  const SourceRange inner = instruction_at(code, call_of(code, "inner")).range;
  CHECK(open_contexts(asked.index(), asked.summary("f"), inner).size() == 2);
  CHECK(contexts.function() == asked.function("f"));
}

}  // namespace ranklint::test
