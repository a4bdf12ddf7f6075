// The models that ranklint comes with: that they are there, that each makes sense by itself, and that those which
// the rules rest on say what the libraries do.
#include <algorithm>
#include <map>
#include <set>
#include <string>
#include <utility>

#include <catch2/catch.hpp>

#include "analyzer/resolve/models.h"

using namespace ranklint;

namespace {

using Axes = std::vector<std::string>;

const Models& builtin() {
  static const Models models = Models::builtin();
  return models;
}

const Model& found(const std::string& name) {
  const Model* model = builtin().find(name);
  INFO(name);
  REQUIRE(model != nullptr);
  return *model;
}

const std::set<std::string> kAxes{"world", "tp",  "pp",      "dp",   "cp",   "sp",        "ep",    "etp", "edp",
                                  "cfg",   "vae", "ulysses", "ring", "fsdp", "replicate", "local", "node"};

}  // namespace

TEST_CASE("each library has the models that it is known to need") {
  std::map<std::string, size_t> count;
  for (const Model& model : builtin().all()) ++count[model.library];
  const std::map<std::string, size_t> at_least{{"torch.distributed", 140},
                                               {"torch", 2},
                                               {"torch.distributed.tensor", 35},
                                               {"torch.distributed.fsdp", 50},
                                               {"torch.nn.parallel", 40},
                                               {"torch.distributed.checkpoint", 18},
                                               {"accelerate", 50},
                                               {"deepspeed", 75},
                                               {"megatron", 140},
                                               {"lightning", 45},
                                               {"transformers", 24},
                                               {"GroupCoordinator", 85},
                                               {"xfuser", 27},
                                               {"yunchang", 36},
                                               {"veomni", 75},
                                               {"horovod", 36},
                                               {"composer", 16},
                                               {"mpi4py", 50},
                                               {"MPI", 90},
                                               {"jax", 8},
                                               {"project helpers", 130},
                                               {"python", 290},
                                               {"NCCL", 18},
                                               {"c10d", 24},
                                               {"gloo", 14},
                                               {"Aluminum", 20},
                                               {"ranklint's runtime", 18},
                                               {"Ray Train", 10},
                                               {"PyTorch/XLA", 17},
                                               {"PaddlePaddle", 20},
                                               {"fairscale", 12},
                                               {"torchsnapshot", 5},
                                               {"ColossalAI", 8},
                                               {"DI-engine", 9},
                                               {"Flashy and Dora", 17},
                                               {"TorchTNT", 9},
                                               {"OLMo-core", 14},
                                               {"MosaicML Streaming", 8},
                                               {"timm", 2},
                                               {"MONAI", 2},
                                               {"fairseq2", 8},
                                               {"OneFlow", 13},
                                               {"Bagua", 17},
                                               {"BytePS", 14},
                                               {"DGL", 3},
                                               {"MindSpore", 18},
                                               {"fastai", 2},
                                               {"media", 2}};
  for (const auto& [library, least] : at_least) {
    INFO(library);
    CHECK(count[library] >= least);
    count.erase(library);
  }
  CHECK(count.empty());  // a library that the table above does not know
}

TEST_CASE("every model's axes are axes that the rules know") {
  for (const Model& model : builtin().all()) {
    INFO(model.name);
    for (const std::string& axis : model.axes) CHECK(kAxes.count(axis) == 1);
    for (const std::string& axis : model.group.axes) CHECK(kAxes.count(axis) == 1);
  }
}

TEST_CASE("a group is described in one way: by its axes exactly if nothing else stands in for the argument") {
  for (const Model& model : builtin().all()) {
    INFO(model.name);
    CHECK(model.group.axes.empty() == (model.group.otherwise != GroupSpec::Otherwise::Axes));
    for (const std::string& axis : model.group.axes) CHECK(axis != "world");
  }
}

TEST_CASE("the receiver is the group only of what has a receiver") {
  size_t looked_at = 0;
  for (const Model& model : builtin().all()) {
    INFO(model.name);
    if (model.group.otherwise != GroupSpec::Otherwise::Receiver) continue;
    ++looked_at;
    const std::string& name = model.name;
    const size_t last = name.rfind('.');
    REQUIRE(last != std::string::npos);
    const size_t before = name.rfind('.', last - 1);
    const char initial = name[before == std::string::npos ? 0 : before + 1];
    CHECK((name.starts_with("?.") || (initial >= 'A' && initial <= 'Z')));
  }
  CHECK(looked_at > 0);
}

TEST_CASE("what fills a tensor says which, and only what communicates does") {
  size_t looked_at = 0;
  for (const Model& model : builtin().all()) {
    INFO(model.name);
    if (!model.fills_tensor) continue;
    ++looked_at;
    CHECK(model.tensor.present());
    CHECK(model.kind == ModelKind::Collective);
  }
  CHECK(looked_at > 0);
}

TEST_CASE("what is called non-blocking names the handle that it gives") {
  size_t looked_at = 0;
  for (const Model& model : builtin().all()) {
    INFO(model.name);
    CHECK(model.op.ends_with("(non-blocking)") == model.handle.present());
    looked_at += model.handle.present();
  }
  CHECK(looked_at > 0);
}

TEST_CASE("collectives with a root name it") {
  const std::set<std::string> operations{"broadcast", "broadcast_object_list", "scatter", "gather"};
  std::set<std::string> looked_at;
  for (const Model& model : builtin().all()) {
    if (!model.name.starts_with("torch.distributed.") || model.name.find("multigpu") != std::string::npos) continue;
    if (model.name.find("nn.functional") != std::string::npos || model.implicit || model.conditional) continue;
    if (model.name.starts_with("torch.distributed._state_dict")) continue;
    INFO(model.name);
    if (!operations.count(model.op)) continue;
    looked_at.insert(model.op);
    CHECK(model.root.present());
  }
  CHECK(looked_at == operations);
}

TEST_CASE("a reduction to one rank leaves nothing uniform") {
  const std::set<std::string> operations{"reduce",         "gather",     "scatter",
                                         "reduce_scatter", "all_to_all", "gather_object"};
  std::set<std::string> looked_at;
  for (const Model& model : builtin().all()) {
    INFO(model.name);
    if (!operations.count(model.op)) continue;
    looked_at.insert(model.op);
    CHECK_FALSE((model.result_uniform || model.fills_tensor));
  }
  CHECK(looked_at == operations);
}

TEST_CASE("an attribute that any receiver may have has a name that is no common word") {
  const std::set<std::string> common{
      "add",     "all_gather", "all_reduce",    "apply",  "barrier", "backward", "broadcast",  "close",
      "compute", "copy_",      "evaluate",      "exists", "forward", "gather",   "get",        "init",
      "is_main", "is_master",  "item",          "join",   "load",    "log",      "poll",       "predict",
      "prepare", "print",      "process_index", "rank",   "read",    "recv",     "reduce",     "run",
      "save",    "scatter",    "send",          "size",   "split",   "start",    "state_dict", "step",
      "stop",    "sync",       "synchronize",   "train",  "update",  "wait",     "world_size", "write"};
  for (const std::string& word : common) {
    INFO(word);
    CHECK(builtin().find_attribute("x", word) == nullptr);
  }
}

TEST_CASE("functions that only have a collective's name are none") {
  for (const char* name : {"torch.gather", "torch.scatter", "asyncio.gather", "torch.cuda.synchronize",
                           "functools.reduce", "torch.nn.parallel.gather", "threading.Barrier"}) {
    INFO(name);
    CHECK(found(name).kind == ModelKind::Pure);
  }
  CHECK(builtin().find_attribute("tensor", "gather") == nullptr);
  CHECK(builtin().find_attribute("cuda", "synchronize") == nullptr);
  CHECK(builtin().find_attribute("asyncio", "gather") == nullptr);
}

TEST_CASE("torch.distributed: arguments are where the library has them") {
  const Model& all_reduce = found("torch.distributed.all_reduce");
  CHECK(all_reduce.op == "all_reduce");
  CHECK(all_reduce.group.argument.position == 2);
  CHECK(all_reduce.reduce_op.keyword == "op");
  CHECK(all_reduce.async.position == 3);
  CHECK(all_reduce.fills_tensor);
  CHECK(&found("torch.distributed.distributed_c10d.all_reduce") == &all_reduce);
  CHECK(builtin().find_attribute("dist", "all_reduce") == &all_reduce);

  const Model& broadcast = found("torch.distributed.broadcast");
  CHECK(broadcast.root.keyword == "src");
  CHECK_FALSE(broadcast.root_is_group_rank);
  CHECK_FALSE(found("torch.distributed.reduce").fills_tensor);
  CHECK(found("torch.distributed.all_gather").input.position == 1);
  CHECK(found("torch.distributed._functional_collectives.broadcast").root_is_group_rank);
}

TEST_CASE("torch.distributed: a group is created by the whole world, unless its members do it alone") {
  const Model& new_group = found("torch.distributed.new_group");
  CHECK(new_group.kind == ModelKind::GroupCreate);
  CHECK(new_group.group.otherwise == GroupSpec::Otherwise::World);
  CHECK(new_group.ranks.keyword == "ranks");
  REQUIRE(new_group.when.size() == 1);
  CHECK(new_group.when[0].argument.keyword == "use_local_synchronization");
  CHECK(new_group.when[0].not_equals == "true");
}

TEST_CASE("a mesh's members take the dimension as an argument and else mean the mesh") {
  for (const char* name : {"get_group", "get_local_rank", "size"}) {
    const Model& model = found(std::string("torch.distributed.device_mesh.DeviceMesh.") + name);
    CHECK(model.group.argument.keyword == "mesh_dim");
    CHECK(model.group.otherwise == GroupSpec::Otherwise::Receiver);
  }
  CHECK(found("torch.distributed.init_device_mesh").instance == "DeviceMesh");
}

TEST_CASE("distribute_tensor communicates unless every rank keeps its own data") {
  const Model& model = found("torch.distributed._tensor.distribute_tensor");
  CHECK(model.kind == ModelKind::Collective);
  REQUIRE(model.when.size() == 1);
  CHECK(model.when[0].argument.keyword == "src_data_rank");
  CHECK(model.when[0].not_equals == "none");
  CHECK(model.when[0].default_value == "0");
}

TEST_CASE("FSDP's constructor broadcasts only if it is to synchronise") {
  const Model& model = found("torch.distributed.fsdp.FullyShardedDataParallel");
  REQUIRE(model.when.size() == 1);
  CHECK(model.when[0].argument.keyword == "sync_module_states");
  CHECK(model.when[0].default_value == "false");
  CHECK(found(model.instance + ".state_dict").kind == ModelKind::Collective);
}

TEST_CASE("an unknown module's state_dict is not taken for a collective") {
  CHECK(builtin().find_attribute("model", "state_dict") == nullptr);
  CHECK(builtin().find("my.Model.state_dict") == nullptr);
  CHECK(found("torch.nn.parallel.DistributedDataParallel.state_dict").kind == ModelKind::Pure);
}

TEST_CASE("functions of a group coordinator's module give a coordinator, whose members run on it") {
  const Model& sp = found("fastvideo.distributed.parallel_state.get_sp_group");
  CHECK(sp.kind == ModelKind::GroupSource);
  CHECK(sp.axes == Axes{"sp"});
  const Model& all_to_all = found(sp.instance + ".all_to_all_4D");
  CHECK(all_to_all.kind == ModelKind::Collective);
  CHECK(all_to_all.group.otherwise == GroupSpec::Otherwise::Receiver);
  CHECK(found(sp.instance + ".rank_in_group").kind == ModelKind::RankSource);
  CHECK(found(sp.instance + ".rank").axes == Axes{"world"});
  CHECK(found(sp.instance + ".local_rank").axes == Axes{"local"});
  CHECK(found("vllm.distributed.get_world_group").axes == Axes{"world"});
}

TEST_CASE("Megatron: axes of groups, ranks and roots") {
  const std::map<std::string, Axes> expected{{"get_tensor_model_parallel_group", {"tp"}},
                                             {"get_pipeline_model_parallel_rank", {"pp"}},
                                             {"get_data_parallel_world_size", {"dp"}},
                                             {"get_model_parallel_group", {"tp", "pp"}},
                                             {"get_tensor_and_context_parallel_group", {"tp", "cp"}},
                                             {"get_expert_model_parallel_rank", {"ep"}},
                                             {"get_tensor_model_parallel_src_rank", {"tp"}},
                                             {"is_pipeline_first_stage", {"pp"}}};
  for (const auto& [name, axes] : expected) {
    INFO(name);
    CHECK(found("megatron.core.parallel_state." + name).axes == axes);
    CHECK(&found("megatron.core.mpu." + name) == &found("megatron.core.parallel_state." + name));
  }
  CHECK(found("mpu.is_pipeline_last_stage").predicate == RankPredicateKind::Last);
  CHECK(found("mpu.get_tensor_model_parallel_src_rank").kind == ModelKind::RootSource);
}

TEST_CASE("accelerate: the same member of an accelerator by its type and by its usual name") {
  const Model& gather = found("accelerate.Accelerator.gather");
  CHECK(builtin().find_attribute("self.accelerator", "gather") == &gather);
  CHECK(gather.result_uniform);
  CHECK(builtin().find_attribute("anything", "wait_for_everyone") ==
        &found("accelerate.Accelerator.wait_for_everyone"));
  CHECK(&found("accelerate.accelerator.Accelerator.gather") == &gather);
  CHECK(found("accelerate.Accelerator.save_state").conditional);
  CHECK(found("accelerate.Accelerator.is_local_main_process").axes == Axes{"local"});
  CHECK(found("accelerate.Accelerator.main_process_first").shape == GuardShape::FirstThenOthers);
  CHECK(found("accelerate.Accelerator.on_main_process").kind == ModelKind::GuardDecorator);
}

TEST_CASE("decorators of rank 0 are known in any module") {
  CHECK(found("pytorch_lightning.utilities.rank_zero_only").kind == ModelKind::GuardDecorator);
  CHECK(found("lightning.pytorch.utilities.rank_zero.rank_zero_only").axes == Axes{"world"});
  CHECK(found("x.local_rank_zero_only").axes == Axes{"local"});
}

TEST_CASE("variables of launchers hold ranks along their axes, settings hold none") {
  const auto axes = [](const char* variable) {
    const Model* model = builtin().find_environment(variable);
    REQUIRE(model != nullptr);
    return model->axes;
  };
  CHECK(axes("RANK") == Axes{"world"});
  CHECK(axes("LOCAL_RANK") == Axes{"local"});
  CHECK(axes("SLURM_NODEID") == Axes{"node"});
  CHECK(axes("WORLD_SIZE").empty());
  CHECK(axes("MASTER_ADDR").empty());
  CHECK(axes("TORCH_NCCL_BLOCKING_WAIT").empty());
}

TEST_CASE("what a rank sees alone says of which sort it is") {
  const std::set<std::string> sorts{
      "clock", "file system",       "random", "host", "memory", "signal", "progress", "network", "shard",
      "store", "a file of its node"};
  for (const Model& model : builtin().all()) {
    INFO(model.name);
    if (model.kind == ModelKind::LocalSource) CHECK(sorts.count(model.op) == 1);
  }
  CHECK(found("time.time").op == "clock");
  CHECK(found("os.path.exists").op == "file system");
  CHECK(found("random.random").op == "random");
  CHECK(found("socket.gethostname").op == "host");
  CHECK(found("torch.cuda.memory_allocated").op == "memory");
}

TEST_CASE("an instance's members can be looked up") {
  size_t looked_at = 0;
  for (const Model& model : builtin().all()) {
    if (model.instance.empty()) continue;
    ++looked_at;
    INFO(model.name << " gives " << model.instance);
    CHECK(std::ranges::any_of(builtin().all(), [&](const Model& member) {
      const std::string prefix = model.instance + ".";
      return member.name.starts_with(prefix) || member.name.starts_with("*." + prefix);
    }));
  }
  CHECK(looked_at > 0);
}

TEST_CASE("the names that make a file matter are sorted, without repetition, and hold the plain ones") {
  const std::vector<std::string>& names = builtin().interesting_names();
  CHECK(std::ranges::is_sorted(names));
  CHECK(std::ranges::adjacent_find(names) == names.end());
  for (const char* name :
       {"all_reduce", "barrier", "get_rank", "RANK", "is_main_process", "rank_zero_only", "full_tensor"}) {
    INFO(name);
    CHECK(std::ranges::binary_search(names, std::string(name)));
  }
  for (const char* name : {"step", "forward", "log", "print", "exists", "time", "WORLD_SIZE"}) {
    INFO(name);
    CHECK_FALSE(std::ranges::binary_search(names, std::string(name)));
  }
}

TEST_CASE("a short name is a helper of distributed code only below a module that is about it") {
  CHECK(found("myproject.utils.dist.get_rank").kind == ModelKind::RankSource);
  CHECK(found("myproject.comm.is_master").kind == ModelKind::RankPredicate);
  for (const char* name : {"myproject.search.get_rank", "myproject.search.Ranker.get_rank", "tickets.is_primary"}) {
    INFO(name);
    CHECK(builtin().find(name) == nullptr);
  }
}
