// What Fsdp's constructor does to a module, and how it ends when ranks bring different ones.
#include <catch2/catch.hpp>

#include "runtime/group/device_mesh.h"
#include "runtime/sharded/fsdp.h"
#include "tests/runtime_sharded/mlp.h"
#include "tests/runtime_sharded/ranks.h"

namespace ranklint::runtime {

using test::error_of;
using test::expect;
using test::mlp;
using test::on_ranks;

static Module on_meta(Module module) {
  for (Unit& unit : module.units)
    for (std::vector<Slot>* slots : {&unit.parameters, &unit.buffers})
      for (Slot& slot : *slots) slot.value.reset();
  return module;
}

static Tensor empty_like(const Unit&, const Slot& slot) {
  return Tensor::full(slot.shape, 77, slot.dtype, Device::Accelerator);
}

static void expect_values_of(const Module& expected, const StateDict& state) {
  for (const Unit& unit : expected.units)
    for (const Slot& slot : unit.parameters) {
      const Tensor* value = find(state, unit.name + "." + slot.name);
      expect(value && value->bit_equal(*slot.value), unit.name + "." + slot.name);
    }
}

TEST_CASE("sync_module_states gives every rank the values of rank 0") {
  on_ranks(3, [](RankContext& context) {
    const bool source = context.rank() == 0;
    Fsdp model(source ? mlp(5) : mlp(6), context.world(),
               {.sync_module_states = true, .device_id = Device::Accelerator});
    expect_values_of(mlp(5), model.full_state_dict());
  });
}

TEST_CASE("rank 0 brings the weights and the others memory only") {
  on_ranks(3, [](RankContext& context) {
    Module module = context.rank() == 0 ? mlp(5) : on_meta(mlp(6));
    Fsdp model(std::move(module), context.world(),
               {.sync_module_states = true, .device_id = Device::Accelerator, .param_init = empty_like});
    const StateDict state = model.full_state_dict();
    expect_values_of(mlp(5), state);
    expect(find(state, "first.calls")->item() == 0, "the buffer");
  });
}

TEST_CASE("without sync_module_states the shards of different modules mix") {
  on_ranks(2, [](RankContext& context) {
    Fsdp model(context.rank() == 0 ? mlp(5) : mlp(6), context.world());
    const StateDict state = model.full_state_dict();
    const Tensor& weight = *find(state, "first.weight");
    expect(weight.item(0) == mlp(5).units[0].parameters[0].value->item(0), "rank 0's part");
    expect(weight.item(14) == mlp(6).units[0].parameters[0].value->item(14), "rank 1's part");
  });
}

static const std::string kOnHost =
    "`first.weight` is on the host: sync_module_states needs parameters and buffers on the accelerator; pass device_id "
    "or "
    "move the module first";

TEST_CASE("a module on the host can not be synchronised without a device_id") {
  for (const std::optional<Device> device : {std::optional<Device>(), std::optional(Device::Host)})
    on_ranks(2, [&](RankContext& context) {
      const Error error =
          error_of([&] { Fsdp(mlp(), context.world(), {.sync_module_states = true, .device_id = device}); });
      expect(error.message == kOnHost, error.message);
    });
}

TEST_CASE("one rank that can not wrap its module is named on every other") {
  on_ranks(3, [](RankContext& context) {
    const bool odd = context.rank() == 1;
    const Error error = error_of([&] {
      Fsdp(mlp(), context.world(),
           {.sync_module_states = true, .device_id = odd ? std::optional<Device>() : Device::Accelerator});
    });
    expect(error.message == (odd ? kOnHost : "Fsdp: rank 1 can not wrap the module"), error.message);
  });
}

TEST_CASE("without agreement the others wait for the rank that threw") {
  const WorldReport report = run_world(2, [](RankContext& context) {
    const bool odd = context.rank() == 1;
    Fsdp(
        mlp(), context.world(),
        {.sync_module_states = true, .device_id = odd ? std::optional<Device>() : Device::Accelerator, .agree = false});
  });
  CHECK(report.verdict.kind == VerdictKind::PeerThrew);
  REQUIRE(report.verdict.ranks.size() == 2);
  CHECK(report.verdict.ranks[0].op == OpType::Broadcast);
  CHECK(report.verdict.ranks[0].implicit_in == "Fsdp");
  CHECK(report.verdict.ranks[1].phase == RankPhase::Threw);
}

static Module with_extra_buffer() {
  Module module = mlp();
  module.units[0].buffers.push_back(Slot::of("extra", Tensor::zeros({2}, DType::I64)));
  return module;
}

TEST_CASE("a rank with a buffer more is named on every rank") {
  on_ranks(4, [](RankContext& context) {
    const Error error = error_of([&] {
      Fsdp(context.rank() == 0 ? with_extra_buffer() : mlp(), context.world(),
           {.sync_module_states = true, .device_id = Device::Accelerator});
    });
    expect(error.kind == ErrorKind::Mismatch, "kind");
    expect(error.message == "Fsdp: units, names, shapes, types, devices or options differ on rank 0", error.message);
  });
}

TEST_CASE("an option that decides about calls and differs on one rank is told before anybody waits") {
  const FsdpOptions plain{.sync_module_states = true, .device_id = Device::Accelerator};
  std::vector<FsdpOptions> others(3, plain);
  others[0].sync_module_states = false;
  others[1].reshard_after_forward = false;
  others[2].broadcast_bucket_bytes = 64;
  for (const FsdpOptions& other : others)
    on_ranks(3, [&](RankContext& context) {
      const Error error = error_of([&] { Fsdp(mlp(), context.world(), context.rank() == 2 ? other : plain); });
      expect(error.message == "Fsdp: units, names, shapes, types, devices or options differ on rank 2", error.message);
    });
}

TEST_CASE("a unit with parameters on two devices is refused") {
  on_ranks(1, [](RankContext& context) {
    Module module = mlp();
    std::optional<Tensor>& bias = module.units[1].parameters[1].value;
    bias = bias->to(Device::Accelerator);
    const Error error = error_of([&] { Fsdp(std::move(module), context.world()); });
    expect(error.message == "unit `second` has parameters on two devices", error.message);
  });
}

// Of a mesh [side, side] whose rows shard and whose columns replicate.
static Error error_of_hybrid(RankContext& context, int side, Module module, FsdpOptions options) {
  DeviceMesh mesh(context, {side, side}, {"replicate", "shard"});
  options.replicate = mesh.group("replicate");
  return error_of([&] { Fsdp(std::move(module), mesh.group("shard"), options); });
}

TEST_CASE("hybrid sharding names the rank that can not wrap its module and no other") {
  on_ranks(4, [](RankContext& context) {
    const bool odd = context.rank() == 3;
    const Error error =
        error_of_hybrid(context, 2, mlp(),
                        {.sync_module_states = true, .device_id = odd ? std::optional<Device>() : Device::Accelerator});
    expect(error.message == (odd ? kOnHost : "Fsdp: rank 3 can not wrap the module"), error.message);
  });
}

TEST_CASE("hybrid sharding names the rank whose module differs and no other") {
  on_ranks(9, [](RankContext& context) {
    const Error error = error_of_hybrid(context, 3, context.rank() == 8 ? with_extra_buffer() : mlp(), {});
    expect(error.message == "Fsdp: units, names, shapes, types, devices or options differ on rank 8", error.message);
  });
}

TEST_CASE("where no side is the larger one all are named") {
  on_ranks(4, [](RankContext& context) {
    const bool even = context.rank() % 2 == 0;
    const Error error = error_of_hybrid(context, 2, even ? mlp() : with_extra_buffer(), {});
    expect(error.message ==
               "Fsdp: units, names, shapes, types, devices or options differ between ranks 0, 2 and ranks 1, 3",
           error.message);
  });
}

TEST_CASE("replicate on one rank only is told before that rank waits") {
  on_ranks(2, [](RankContext& context) {
    FsdpOptions options;
    const ProcessGroup replicate = context.new_group({0, 1}, "replicate");
    if (context.rank() == 0) options.replicate = replicate;
    const Error error = error_of([&] { Fsdp(mlp(), context.world(), options); });
    expect(error.message == "Fsdp: units, names, shapes, types, devices or options differ between rank 0 and rank 1",
           error.message);
  });
}

TEST_CASE("what param_init throws reaches every rank") {
  const auto no_memory = [](const Unit&, const Slot&) -> Tensor { throw std::bad_alloc(); };
  const auto a_number = [](const Unit&, const Slot&) -> Tensor { throw 5; };
  using Init = decltype(FsdpOptions::param_init);
  for (const Init& init : {Init(no_memory), Init(a_number)})
    on_ranks(2, [&](RankContext& context) {
      const Error error =
          error_of([&] { Fsdp(context.rank() == 1 ? on_meta(mlp()) : mlp(), context.world(), {.param_init = init}); });
      if (context.rank() == 0) expect(error.message == "Fsdp: rank 1 can not wrap the module", error.message);
    });
}

TEST_CASE("without agreement a buffer more is a mismatch at its bucket") {
  const WorldReport report = run_world(4, [](RankContext& context) {
    Fsdp(context.rank() == 0 ? with_extra_buffer() : mlp(), context.world(),
         {.sync_module_states = true, .device_id = Device::Accelerator, .agree = false});
  });
  CHECK(report.verdict.kind == VerdictKind::Mismatch);
  CHECK(report.verdict.odd_ranks == std::vector<int>{0});
}

TEST_CASE("parameters on the host of one rank and the accelerator of another are told before they are gathered") {
  on_ranks(2, [](RankContext& context) {
    const std::optional<Device> device = context.rank() == 0 ? std::optional(Device::Accelerator) : std::nullopt;
    const Error error = error_of([&] { Fsdp(mlp(), context.world(), {.device_id = device}); });
    expect(error.message == "Fsdp: units, names, shapes, types, devices or options differ between rank 0 and rank 1",
           error.message);
  });
}

TEST_CASE("a group for the accelerator alone wraps no parameters on the host") {
  const WorldReport report = run_world(
      2,
      [](RankContext& context) {
        const bool odd = context.rank() == 1;
        const Error error = error_of(
            [&] { Fsdp(mlp(), context.world(), {.device_id = odd ? std::optional<Device>() : Device::Accelerator}); });
        expect(error.message == (odd ? "`first.weight` is on host, group world is for accelerator: pass device_id or "
                                       "move the module first"
                                     : "Fsdp: rank 1 can not wrap the module"),
               error.message);
      },
      {.device = Device::Accelerator, .any_device = false});
  for (const std::optional<Error>& error : report.errors)
    if (error) UNSCOPED_INFO(error->message);
  CHECK(report.ok());
}

TEST_CASE("a meta tensor needs somebody who gives it memory") {
  on_ranks(1, [](RankContext& context) {
    const Error none = error_of([&] { Fsdp(on_meta(mlp()), context.world()); });
    expect(none.message == "`first.weight` is a meta tensor and there is no param_init", none.message);
    const auto scalar = [](const Unit&, const Slot&) { return Tensor::zeros({}); };
    const Error shape = error_of([&] { Fsdp(on_meta(mlp()), context.world(), {.param_init = scalar}); });
    expect(shape.message == "param_init gave float32[] for `first.weight`, which is float32[5, 3]", shape.message);
    const auto half = [](const Unit&, const Slot& slot) { return Tensor::zeros(slot.shape, DType::BF16); };
    const Error type = error_of([&] { Fsdp(on_meta(mlp()), context.world(), {.param_init = half}); });
    expect(type.message == "param_init gave bfloat16[5, 3] for `first.weight`, which is float32[5, 3]", type.message);
  });
}

TEST_CASE("a wrapper leaves the host's copy of the module alone") {
  on_ranks(2, [](RankContext& context) {
    const Module module = mlp();
    Fsdp model(module, context.world(), {.sync_module_states = true, .device_id = Device::Accelerator});
    for (const Fsdp::UnitShard& shard : model.shards()) {
      expect(shard.parameter.device() == Device::Accelerator, "shard");
      shard.parameter.fill_(0);
    }
    expect(module.units[0].parameters[0].value->bit_equal(*mlp().units[0].parameters[0].value), "the module changed");
  });
}

TEST_CASE("a rank that is no member of the group can not wrap a module") {
  CHECK_THROWS_WITH(Fsdp(mlp(5), ProcessGroup()), "Fsdp: a group without members");
  on_ranks(3, [](RankContext& context) {
    const ProcessGroup pair = context.new_group({0, 1}, "pair");
    if (context.rank() == 2)
      expect(error_of([&] { Fsdp(mlp(5), pair); }).message == "Fsdp: this rank is no member of group pair",
             "a stranger");
  });
}

TEST_CASE("a tensor that is not what its slot says, and two of one name, are refused") {
  on_ranks(2, [](RankContext& context) {
    const auto error_with = [&](std::vector<Slot> slots) {
      return error_of([&] { Fsdp({.units = {{.name = "u", .parameters = std::move(slots)}}}, context.world()); })
          .message;
    };
    const Tensor five = Tensor::arange(5);
    expect(error_with({{.name = "w", .shape = {3}, .value = five}}) ==
               "the module has float32[5] for `u.w`, which is float32[3]",
           "shape");
    expect(error_with({{.name = "w", .shape = {5}, .dtype = DType::F64, .value = five}}) ==
               "the module has float32[5] for `u.w`, which is float64[5]",
           "type");
    expect(error_with({Slot::of("w", five), Slot::of("w", five)}) ==
               "`u.w` is there twice: a state dict could not tell the two apart",
           "name");
  });
}

TEST_CASE("a unit without a function says so when it is needed") {
  on_ranks(2, [](RankContext& context) {
    Module module{.units = {{.name = "u", .parameters = {Slot::of("w", Tensor::arange(5))}}}};
    Fsdp model(module, context.world());
    expect(error_of([&] { model.forward(Tensor()); }).message == "Fsdp: unit `u` has no forward function", "forward");
    module.units[0].forward = [](const UnitTensors&, const Tensor& input) { return input; };
    Fsdp other(module, context.world());
    other.forward(Tensor());
    expect(error_of([&] { other.backward(Tensor()); }).message == "Fsdp: unit `u` has no backward function",
           "backward");
  });
}

}  // namespace ranklint::runtime
