#include <catch2/catch.hpp>

#include <mutex>

#include "runtime/sharded/fsdp.h"
#include "tests/runtime_sharded/mlp.h"
#include "tests/runtime_sharded/ranks.h"

namespace ranklint::runtime {

using test::error_of;
using test::expect;
using test::mlp;
using test::on_ranks;

static std::vector<std::string> names_of(const StateDict& state) {
  std::vector<std::string> names;
  for (const NamedTensor& tensor : state) names.push_back(tensor.name);
  return names;
}

TEST_CASE("a full state dict holds every tensor by name on every rank") {
  on_ranks(3, [](RankContext& context) {
    Fsdp model(mlp(), context.world());
    const StateDict state = model.full_state_dict();
    expect(names_of(state) == std::vector<std::string>{"first.weight", "first.bias", "first.calls", "second.weight",
                                                       "second.bias", "second.calls"},
           "names");
    expect(find(state, "second.weight")->bit_equal(*mlp().units[1].parameters[0].value), "second.weight");
    expect(find(state, "third") == nullptr, "third");
  });
}

TEST_CASE("what is loaded is what was saved") {
  on_ranks(4, [](RankContext& context) {
    Fsdp saved(mlp(5), context.world()), loaded(mlp(6), context.world());
    const StateDict state = saved.full_state_dict();
    loaded.load_full_state_dict(state);
    const StateDict again = loaded.full_state_dict();
    for (size_t i = 0; i < state.size(); ++i) expect(again[i].value.bit_equal(state[i].value), state[i].name);
  });
}

TEST_CASE("a state dict saved on three ranks is loaded on two and on five") {
  ShardedStateDict pieces;
  std::mutex mutex;
  on_ranks(3, [&](RankContext& context) {
    Fsdp model(mlp(5), context.world());
    const ShardedStateDict mine = model.sharded_state_dict();
    const std::lock_guard lock(mutex);
    pieces.insert(pieces.end(), mine.begin(), mine.end());
  });
  for (const int ranks : {2, 5})
    on_ranks(ranks, [&](RankContext& context) {
      Fsdp model(mlp(6), context.world());
      model.load_sharded_state_dict(pieces);
      const StateDict state = model.full_state_dict();
      const Module expected = mlp(5);
      for (const Unit& unit : expected.units)
        for (const Slot& slot : unit.parameters)
          expect(find(state, unit.name + "." + slot.name)->bit_equal(*slot.value), unit.name + "." + slot.name);
    });
}

TEST_CASE("a state dict that does not fit changes nothing") {
  on_ranks(2, [](RankContext& context) {
    Fsdp model(mlp(5), context.world());
    const StateDict before = model.full_state_dict();
    const auto unchanged = [&] {
      const StateDict after = model.full_state_dict();
      for (size_t i = 0; i < before.size(); ++i) expect(after[i].value.bit_equal(before[i].value), before[i].name);
    };
    StateDict without_last_buffer = Fsdp(mlp(6), context.world()).full_state_dict();
    find(without_last_buffer, "first.calls")->fill_(3);
    without_last_buffer.pop_back();
    expect(error_of([&] { model.load_full_state_dict(without_last_buffer); }).kind == ErrorKind::Missing, "whole");
    unchanged();
    ShardedStateDict without_last_piece = Fsdp(mlp(6), context.world()).sharded_state_dict();
    without_last_piece.pop_back();
    expect(error_of([&] { model.load_sharded_state_dict(without_last_piece); }).kind == ErrorKind::Missing, "sharded");
    unchanged();
  });
}

TEST_CASE("a state dict that lacks a tensor or has another shape is refused by name") {
  on_ranks(2, [](RankContext& context) {
    Fsdp model(mlp(), context.world());
    StateDict state = model.full_state_dict();
    state[1].value = Tensor::zeros({7});
    const Error shape = error_of([&] { model.load_full_state_dict(state); });
    expect(shape.message == "`first.bias` has shape [7] in the state dict and [5] in the model", shape.message);
    state.erase(state.begin());
    const Error missing = error_of([&] { model.load_full_state_dict(state); });
    expect(missing.kind == ErrorKind::Missing, "kind");
    expect(missing.message == "`first.weight` is not in the state dict", missing.message);
  });
}

TEST_CASE("a piece that is no stretch of its parameter is refused") {
  const Shape shape = {5};
  for (const int64_t start : {int64_t{-1}, int64_t{1}, std::numeric_limits<int64_t>::max()}) {
    const ShardedStateDict pieces = {{.name = "w", .shape = shape, .start = start, .values = Tensor::arange(5)}};
    CHECK_THROWS_WITH(copies_into(Tensor::arange(5), pieces, "w", shape, 0), Catch::Contains("is no stretch of [5]"));
  }
  const ShardedStateDict square = {{.name = "w", .shape = shape, .start = 0, .values = Tensor::zeros({2, 2})}};
  CHECK_THROWS_WITH(copies_into(Tensor::arange(5), square, "w", shape, 0), Catch::Contains("is no stretch of [5]"));
}

}  // namespace ranklint::runtime
