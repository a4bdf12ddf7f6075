// Under which conditions a model is wrapped, where a method of its object wraps it.
#include "analyzer/execution/wrapped_when.h"

#include <catch2/catch.hpp>

#include "tests/questions/asked.h"

namespace ranklint::test {
namespace {

// What holds where `self.model` is wrapped, as the source writes it. `prepare`, `again`: the bodies of two methods.
std::vector<std::string> conditions(const std::string& prepare, const std::string& again = "") {
  const Asked asked(
      "class Trainer() {\n  body <class Trainer>\n}\nfunc <class Trainer>() {\n^entry:\n  __init__ = "
      "&Trainer.__init__\n"
      "  prepare = &Trainer.prepare\n  again = &Trainer.again\n  run = &Trainer.run\n  return\n}\n"
      "func Trainer.__init__(self, model, options) {\n  owner Trainer\n^entry:\n  self.model = model\n"
      "  self.options = options\n  return\n}\n"
      "func Trainer.prepare(self) {\n  owner Trainer\n^entry:\n" +
          prepare +
          "  return\n}\n"
          "func Trainer.again(self) {\n  owner Trainer\n^entry:\n" +
          again +
          "  return\n}\n"
          "func Trainer.run(self, x) {\n  owner Trainer\n^entry:\n  call self.model(x)\n  return\n}\n",
      "  from torch.nn.parallel import DistributedDataParallel as DDP\n  Trainer = class Trainer\n");
  for (const BlockSteps& block : asked.summary("Trainer.run").blocks)
    for (const Step& step : block.steps) {
      const ValueId model = model_called(asked.in(), step.call.callee);
      if (!model.valid()) continue;
      std::vector<std::string> found;
      for (const ValueId condition : holds_where_wrapped(asked.in(), model))
        found.push_back(asked.in().source_text(condition));
      return found;
    }
  return {"not called"};
}

std::string wrapped_under(const std::string& condition) {
  return "  branch " + condition +
         " ? ^then : ^join\n^then:\n  %0 = call DDP(self.model)\n  self.model = %0\n  jump ^join\n^join:\n";
}

using Conditions = std::vector<std::string>;

}  // namespace

TEST_CASE("a model that a method wraps is wrapped where the condition around it holds") {
  CHECK(conditions(wrapped_under("self.options.parallel")) == Conditions{"self.options.parallel"});
  CHECK(conditions("  %0 = call DDP(self.model)\n  self.model = %0\n").empty());
}

TEST_CASE("of two places that wrap it no condition is known") {
  CHECK(conditions(wrapped_under("self.options.parallel"), wrapped_under("self.options.late")).empty());
}

TEST_CASE("a condition on what methods change says nothing any more") {
  CHECK(conditions(wrapped_under("self.ready"), "  self.ready = False\n").empty());
}

}  // namespace ranklint::test
