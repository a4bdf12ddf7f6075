// What the reasons to doubt a divergence recognise in a function. The reasons themselves are stated in
// testdata/analysis/doubts/.
#include <catch2/catch.hpp>

#include "analyzer/doubts/equal_shares.h"
#include "analyzer/doubts/flags.h"
#include "analyzer/doubts/missing_attributes.h"
#include "analyzer/doubts/model_queries.h"
#include "analyzer/doubts/one_machine.h"
#include "analyzer/doubts/term_words.h"
#include "tests/questions/asked.h"

namespace ranklint::test {
namespace {

Asked function_of(const std::string& lines, const std::string& imports = "") {
  return Asked("func f(x, n, world_size) {\n^entry:\n" + lines + "  return\n}\n", imports);
}

std::string branch_on(const std::string& condition) { return "  branch " + condition + " ? ^then : ^join\n^then:\n"; }

bool is_tested(const std::string& lines) {
  const Asked asked = function_of(lines);
  return tests_flag(asked.in().values(), asked.summary("f"), 0);
}

bool makes_equal(const std::string& lines) {
  const Asked asked = function_of(lines, "  import math\n");
  return makes_equal_shares(asked.in(), asked.function("f"));
}

bool holds_to_devices(const std::string& lines) {
  const Asked asked = function_of(lines, "  import os\n");
  return holds_ranks_to_devices(asked.in(), asked.function("f"));
}

}  // namespace

TEST_CASE("a flag is a parameter that is asked as it is, or what `not`, `and` and `or` make of such") {
  const std::string rest = "  call dist.barrier()\n  jump ^join\n^join:\n";
  CHECK(is_tested(branch_on("x") + rest));
  CHECK(is_tested(branch_on("not x") + rest));
  CHECK_FALSE(is_tested(branch_on("x > 3") + rest));
  CHECK_FALSE(is_tested(branch_on("n") + rest));
  const Asked handed("func f(x) {\n^entry:\n  call g(x)\n  return\n}\nfunc g(y) {\n^entry:\n" + branch_on("y") + rest +
                     "  return\n}\n");
  CHECK(tests_flag(handed.in().values(), handed.summary("f"), 0));
}

TEST_CASE("shares are equal where the rest is dropped, filled up, or a quotient is multiplied") {
  CHECK(makes_equal("  %0 = call len(x)\n  y = x[:%0 - %0 % world_size]\n"));
  CHECK(makes_equal("  %0 = call len(x)\n  y = x[:%0 // world_size * world_size]\n"));
  CHECK(makes_equal("  %0 = call len(x)\n  each = call math.ceil(%0 / world_size)\n  total = each * world_size\n"));
  CHECK_FALSE(makes_equal("  %0 = call len(x)\n  y = x[:%0 // n * n]\n"));
  CHECK_FALSE(makes_equal("  y = x[n::world_size]\n"));
}

TEST_CASE("who asserts that there are no more ranks than devices has one machine") {
  const std::string sizes = "  size = call dist.get_world_size()\n  devices = call torch.cuda.device_count()\n";
  const auto gives_up_on = [&](const std::string& condition) {
    return holds_to_devices(sizes + branch_on(condition) + "  raise\n^join:\n");
  };
  CHECK(holds_to_devices(sizes + "  assert size <= devices\n"));
  CHECK(holds_to_devices(sizes + "  assert devices >= size\n"));
  CHECK_FALSE(holds_to_devices(sizes + "  assert size >= devices\n"));
  CHECK_FALSE(holds_to_devices(sizes + "  assert n <= devices\n"));
  CHECK(gives_up_on("size > devices"));
  CHECK_FALSE(gives_up_on("size < devices"));
  CHECK(
      holds_to_devices("  size = call os.environ.get(\"WORLD_SIZE\")\n  devices = call torch.cuda.device_count()\n"
                       "  assert size <= devices\n"));
}

TEST_CASE("a helper asks a model for its parameters or its state") {
  const auto asks = [](const std::string& call) {
    const Asked asked = function_of("  call " + call + "\n");
    return queries_model(asked.in(), asked.function("f"));
  };
  CHECK(asks("x.named_parameters()"));
  CHECK(asks("x.state_dict()"));
  CHECK_FALSE(asks("x.train()"));
}

TEST_CASE("a step fails on the other ranks where it reads what a hook of one rank has made") {
  const auto reads = [](const std::string& decorator) {
    const Asked asked(
        "class Trained(LightningModule) {\n  body <class Trained>\n}\nfunc <class Trained>() {\n^entry:\n"
        "  on_train_start = &Trained.on_train_start\n  training_step = &Trained.training_step\n"
        "  on_train_epoch_end = &Trained.on_train_epoch_end\n  return\n}\n"
        "func Trained.on_train_start(self) {\n  owner Trained\n" +
            decorator +
            "^entry:\n  self.losses = []\n  return\n}\n"
            "func Trained.training_step(self, batch, i) {\n  owner Trained\n^entry:\n  call "
            "self.losses.append(batch)\n  return\n}\n"
            "func Trained.on_train_epoch_end(self) {\n  owner Trained\n" +
            decorator + "^entry:\n  return\n}\n",
        "  from lightning.pytorch import LightningModule as LightningModule\n"
        "  from lightning.pytorch.utilities import rank_zero_only as rank_zero_only\n  Trained = class Trained\n");
    return reads_what_some_made(asked.in(), asked.function("Trained.on_train_epoch_end")).has_value();
  };
  CHECK(reads("  decorator rank_zero_only\n"));
  CHECK_FALSE(reads(""));
}

TEST_CASE("a term has the word that the program calls it by") {
  const Asked asked = function_of("");
  ValueStore& values = asked.in().values();
  const auto word = [&](ValueId v) { return word_of(values, asked.index(), v); };
  const Symbol name = asked.index().intern("torch.float32");
  CHECK(word(values.leaf(ValueKind::External, name.index)) == "torch.float32");
  CHECK(word(values.leaf(ValueKind::Parameter, asked.function("f").index, 1)) == "n");
  CHECK(word(asked.in().function_value(asked.function("f"))) == "f");
  CHECK(word(values.leaf(ValueKind::None)).empty());
}

}  // namespace ranklint::test
