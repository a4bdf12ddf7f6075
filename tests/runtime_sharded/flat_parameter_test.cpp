#include "runtime/sharded/flat_parameter.h"

#include <catch2/catch.hpp>

#include "runtime/sharded/state_dict.h"

namespace ranklint::runtime {

static const std::vector<Slot>& slots() {
  static const std::vector<Slot> kSlots = {Slot::meta("weight", {2, 3}), Slot::meta("bias", {2})};
  return kSlots;
}

TEST_CASE("the row of a unit is padded to equal shards") {
  const FlatParameter flat("layer", slots(), 3);
  CHECK(flat.numel() == 8);
  CHECK(flat.shard_numel() == 3);
  CHECK(flat.padded_numel() == 9);
  CHECK(flat.shard(2) == Range{.start = 6, .length = 2});
  CHECK(flat.pieces()[1].name == "layer.bias");
  CHECK(flat.pieces()[1].range == Range{.start = 6, .length = 2});
}

TEST_CASE("a row gives its parameters back as views") {
  const FlatParameter flat("layer", slots(), 3);
  const Tensor weight = Tensor::arange(6).reshape({2, 3});
  const Tensor row = flat.row({weight, Tensor::full({2}, 9)});
  CHECK(row.bit_equal(Tensor::from<float>({0, 1, 2, 3, 4, 5, 9, 9, 0}, {9})));
  CHECK(flat.views(row)[0].bit_equal(weight));
  CHECK(flat.views(row)[1].shares_memory_with(row));
}

TEST_CASE("a unit of two element types has no row") {
  CHECK_THROWS_AS(FlatParameter("layer", {Slot::meta("a", {1}), Slot::meta("b", {1}, DType::F64)}, 2), RankError);
}

TEST_CASE("more ranks than elements leave ranks with padding only") {
  const FlatParameter flat("norm", {Slot::meta("scale", {2})}, 5);
  CHECK(flat.shard_numel() == 1);
  CHECK(flat.shard(4).length == 0);
}

TEST_CASE("a row buffer is used again and grows when it must") {
  RowBuffer buffer;
  const Tensor small = buffer.row(10, DType::F32, Device::Accelerator);
  CHECK(small.shape() == Shape{10});
  CHECK(small.device() == Device::Accelerator);
  CHECK(buffer.row(5, DType::F64, Device::Accelerator).shares_memory_with(small));
  CHECK_FALSE(buffer.row(5, DType::F32, Device::Host).shares_memory_with(small));
  CHECK_FALSE(buffer.row(11, DType::F32, Device::Accelerator).shares_memory_with(small));
}

TEST_CASE("a range is filled from pieces in any order and a hole is named") {
  const auto piece = [](int64_t start, std::vector<float> values) {
    const auto n = static_cast<int64_t>(values.size());
    return StatePiece{.name = "w", .shape = {2, 3}, .start = start, .values = Tensor::from(std::move(values), {n})};
  };
  const Tensor target = Tensor::zeros({4});
  carry_out(copies_into(target, {piece(4, {14, 15}), piece(0, {10, 11}), piece(1, {11, 12, 13})}, "w", {2, 3}, 1));
  CHECK(target.bit_equal(Tensor::from<float>({11, 12, 13, 14}, {4})));

  const auto message = [&](const ShardedStateDict& pieces) -> std::string {
    try {
      copies_into(target, pieces, "w", {2, 3}, 1);
    } catch (const RankError& error) {
      return error.what();
    }
    return "filled";
  };
  CHECK(message({piece(0, {10, 11}), piece(3, {13, 14, 15})}) == "`w`: element 2 is in no piece of the state dict");
  CHECK(message({}) == "`w`: element 1 is in no piece of the state dict");
}

}  // namespace ranklint::runtime
