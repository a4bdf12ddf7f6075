// What starts a function, by the text of small programs.
#include <catch2/catch.hpp>

#include <string>

#include "analyzer/ir/parse.h"
#include "analyzer/program/launches.h"
#include "analyzer/program/program.h"

namespace ranklint {
namespace {

// A program of one file: what its own code does, and its functions.
struct Started {
  explicit Started(const std::string& code, const std::string& functions)
      : index(modules_of(code, functions)), program(index, models), launches(program) {}

  FunctionKey function(std::string_view name) const {
    for (FunctionKey f{0}; f.index < index.functions().size(); ++f.index)
      if (index.qualified_name(f) == name) return f;
    FAIL("no function " << name);
    return {};
  }
  bool alone(std::string_view name) const { return launches.of_one_process(function(name)); }
  bool on_one_machine(std::string_view name) const { return launches.on_one_machine(function(name)); }

  static std::vector<ir::Module> modules_of(const std::string& code, const std::string& functions) {
    const std::string text = R"(module "train.py"
language "python" shares_objects numbers_are_values declares_no_types

func <module>() {
^entry:
  import torch.distributed as dist
  import torch.multiprocessing as mp
  from ray.train import ScalingConfig
  from ray.train.torch import TorchTrainer
)" + code + "  return\n}\n\n" +
                             functions;
    Result<ir::Module> module = ir::parse(text, "train.py");
    INFO((module ? std::string() : module.error().message));
    REQUIRE(module);
    std::vector<ir::Module> modules;
    modules.push_back(std::move(*module));
    return modules;
  }

  const Models models = Models::builtin();
  const ProjectIndex index;
  const Program program;
  const Launches launches;
};

const std::string kStartsOne =
    "  %0 = call ScalingConfig(use_gpu=True)\n  %1 = call TorchTrainer(loop, scaling_config=%0)\n";
const std::string kOfLoop = "  step = &step\n  loop = &loop\n";
constexpr const char* kLoop = R"(func step() {
^entry:
  return
}

func loop(config) {
^entry:
  %0 = call step()
  return
}
)";

TEST_CASE("options without a number start one process, and so does what it calls") {
  const Started t(kOfLoop + kStartsOne, kLoop);
  CHECK(t.alone("loop"));
  CHECK(t.alone("step"));
  CHECK_FALSE(t.alone("<module>"));
  CHECK_FALSE(t.on_one_machine("loop"));
}

TEST_CASE("nothing is known of a number that is not written there") {
  CHECK_FALSE(
      Started(kOfLoop + "  %0 = call ScalingConfig(num_workers=n)\n  %1 = call TorchTrainer(loop, scaling_config=%0)\n",
              kLoop)
          .alone("loop"));
  CHECK_FALSE(Started(kOfLoop + "  %1 = call TorchTrainer(loop)\n", kLoop).alone("loop"));
  CHECK_FALSE(
      Started(kOfLoop + "  %0 = call ScalingConfig(**options)\n  %1 = call TorchTrainer(loop, scaling_config=%0)\n",
              kLoop)
          .alone("loop"));
}

TEST_CASE("what others call as well may be one of many ranks") {
  const std::string start = kOfLoop + kStartsOne;
  const Started t(start + "  %2 = call step()\n", kLoop);
  CHECK(t.alone("loop"));
  CHECK_FALSE(t.alone("step"));
  CHECK_FALSE(Started(start + "  handlers = [loop]\n", kLoop).alone("loop"));
}

TEST_CASE("processes that tell their own numbers as ranks are all ranks") {
  const std::string start = "  set_up = &set_up\n  work = &work\n  %0 = call mp.spawn(work, args=(8,), nprocs=8)\n";
  const char* const told = R"(func set_up(rank, n) {
^entry:
  %0 = call dist.init_process_group("nccl", rank=rank, world_size=n)
  return
}

func work(number, n) {
^entry:
  %0 = call set_up(number, n)
  return
}
)";
  const Started t(start, told);
  CHECK(t.on_one_machine("work"));
  CHECK(t.on_one_machine("set_up"));
  CHECK_FALSE(t.alone("work"));
  const std::string of_one = "  work = &work\n  %0 = call mp.spawn(work, args=(8,), nprocs=8)\n";
  const char* const computed = R"(func work(number, n) {
^entry:
  rank = node * n + number
  %0 = call dist.init_process_group("nccl", rank=rank, world_size=n)
  return
}
)";
  CHECK_FALSE(Started(of_one, computed).on_one_machine("work"));
  const char* const changed = R"(func work(number, n) {
^entry:
  number = number + offset
  %0 = call dist.init_process_group("nccl", rank=number, world_size=n)
  return
}
)";
  CHECK_FALSE(Started(of_one, changed).on_one_machine("work"));
}

TEST_CASE("a method that a library may call is started as its objects are") {
  const char* const functions = R"(class Model(torch.nn.Module) {
  body <class Model>
}

func <class Model>() {
^entry:
  forward = &Model.forward
  return
}

func Model.forward(self, x) {
  owner Model
^entry:
  return
}

func loop(config) {
^entry:
  model = call Model()
  %0 = call model(config)
  return
}
)";
  const std::string start = "  Model = class Model\n  loop = &loop\n" + kStartsOne;
  CHECK(Started(start, functions).alone("Model.forward"));
  CHECK_FALSE(Started(start + "  other = call Model()\n", functions).alone("Model.forward"));
}

}  // namespace
}  // namespace ranklint
