// Sharded training gives the numbers of one rank.
#include <catch2/catch.hpp>

#include <cmath>
#include <limits>

#include "runtime/group/device_mesh.h"
#include "runtime/sharded/fsdp.h"
#include "tests/runtime_sharded/mlp.h"
#include "tests/runtime_sharded/ranks.h"

namespace ranklint::runtime {

using test::batch;
using test::Batch;
using test::expect;
using test::loss_gradient;
using test::loss_of;
using test::mlp;
using test::on_ranks;

static constexpr double kRate = 0.5;

static double mean_over_ranks(double value, ProcessGroup& world) {
  const Tensor sum = Tensor::full({1}, value, DType::F64);
  world.all_reduce(sum, ReduceOp::Avg).wait();
  return sum.item();
}

static double forward_and_back(Fsdp& model, const Batch& data) {
  const Tensor output = model.forward(data.input);
  model.backward(loss_gradient(output, data.target));
  return loss_of(output, data.target);
}

static void descend(Fsdp& model) {
  for (const Fsdp::UnitShard& shard : model.shards())
    for (size_t i = 0; i < shard.parameter.as<float>().size(); ++i)
      shard.parameter.as<float>()[i] -= static_cast<float>(kRate) * shard.gradient.as<float>()[i];
  model.zero_grad();
}

static std::vector<double> losses_of(Fsdp& model, int steps, RankContext& context) {
  std::vector<double> losses;
  for (int step = 0; step < steps; ++step) {
    const double loss = forward_and_back(model, batch(context.rank()));
    losses.push_back(mean_over_ranks(loss, context.world()));
    descend(model);
  }
  return losses;
}

static void expect_close(const std::vector<double>& losses, const std::vector<double>& reference) {
  expect(losses.size() == reference.size(), "number of steps");
  for (size_t i = 0; i < losses.size(); ++i)
    expect(
        std::abs(losses[i] - reference[i]) <= 1e-6 * reference[i],
        "loss " + std::to_string(i) + ": " + std::to_string(losses[i]) + " instead of " + std::to_string(reference[i]));
}

TEST_CASE("training sharded over any number of ranks gives the losses of one rank") {
  for (int ranks = 1; ranks <= 5; ++ranks)
    for (const bool reshard : {true, false})
      on_ranks(ranks, [&](RankContext& context) {
        Fsdp model(mlp(), context.world(), {.reshard_after_forward = reshard});
        const std::vector<double> reference = test::reference_losses(8, ranks, kRate);
        expect(reference.back() < 0.9 * reference.front(), "the reference learns nothing");
        expect_close(losses_of(model, 8, context), reference);
      });
}

TEST_CASE("hybrid sharding gives the same losses") {
  on_ranks(6, [](RankContext& context) {
    DeviceMesh mesh(context, {2, 3}, {"replicate", "shard"});
    Fsdp model(mlp(), mesh.group("shard"), {.replicate = mesh.group("replicate")});
    expect_close(losses_of(model, 5, context), test::reference_losses(5, 6, kRate));
  });
}

TEST_CASE("two runs give the same bits") {
  const auto run = [] {
    std::vector<double> losses;
    on_ranks(3, [&](RankContext& context) {
      Fsdp model(mlp(), context.world());
      const std::vector<double> mine = losses_of(model, 4, context);
      if (context.rank() == 0) losses = mine;
    });
    return losses;
  };
  CHECK(run() == run());
}

TEST_CASE("gradients of several backwards add up") {
  on_ranks(2, [](RankContext& context) {
    Fsdp once(mlp(), context.world()), twice(mlp(), context.world());
    const Batch data = batch(context.rank());
    forward_and_back(once, data);
    forward_and_back(twice, data);
    forward_and_back(twice, data);
    for (size_t unit = 0; unit < 2; ++unit)
      for (int64_t i = 0; i < once.shards()[unit].gradient.numel(); ++i)
        expect(twice.shards()[unit].gradient.item(i) == 2 * once.shards()[unit].gradient.item(i), "sum");
  });
}

TEST_CASE("clipping measures the gradient of all ranks") {
  const auto norms = [](int ranks, double type) {
    std::vector<double> result;
    on_ranks(ranks, [&](RankContext& context) {
      Fsdp model(mlp(), context.world());
      forward_and_back(model, batch(0));  // the same data everywhere: the same gradient for any number of ranks
      const double before = model.clip_grad_norm(0.01, type);
      const double after = model.clip_grad_norm(0.01, type);
      if (context.rank() == 0) result = {before, after};
    });
    return result;
  };
  for (const double type : {1.0, 2.0, std::numeric_limits<double>::infinity()}) {
    const std::vector<double> one = norms(1, type), three = norms(3, type);
    REQUIRE(one.size() == 2);
    REQUIRE(three.size() == 2);
    CHECK(one[0] > 0.02);
    CHECK(three[0] == Approx(one[0]).epsilon(1e-6));
    CHECK(three[1] == Approx(0.01).epsilon(1e-3));
  }
}

TEST_CASE("clipping spreads a NaN of one rank to the gradients of all, whatever the norm") {
  for (const double type : {1.0, 2.0, std::numeric_limits<double>::infinity()})
    on_ranks(2, [&](RankContext& context) {
      Fsdp model(mlp(), context.world());
      forward_and_back(model, batch(context.rank()));
      const std::span<float> last = model.shards().back().gradient.as<float>();
      if (context.rank() == 1) last.front() = std::numeric_limits<float>::quiet_NaN();
      expect(std::isnan(model.clip_grad_norm(1, type)), "norm " + std::to_string(type));
      expect(std::isnan(last.back()), "gradient clipped by norm " + std::to_string(type));
    });
}

TEST_CASE("a second backward after one forward is refused") {
  on_ranks(2, [](RankContext& context) {
    Fsdp model(mlp(), context.world());
    const Batch data = batch(context.rank());
    forward_and_back(model, data);
    const Error error = test::error_of([&] { model.backward(data.target); });
    expect(error.message == "Fsdp.backward without a forward", error.message);
  });
}

}  // namespace ranklint::runtime
