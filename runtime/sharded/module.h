// What Fsdp wraps: a model as a list of units, each with its tensors and its mathematics.
//
// There is no autograd here. A unit says how to go forward and how to go back from the same input, so it recomputes
// what it needs in between (activation checkpointing at the unit's border). The units run in order; the output of one
// is the input of the next.
#pragma once

#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "runtime/base/tensor.h"

namespace ranklint::runtime {

// A place for a parameter or a buffer. Without a value it is on torch's meta device: a shape and a type, no memory.
struct Slot {
  std::string name;  // "weight"; its name in a state dict is "UNIT.weight"
  Shape shape;
  DType dtype = DType::F32;
  std::optional<Tensor> value = {};

  static Slot of(std::string name, Tensor value) {
    return {.name = std::move(name), .shape = value.shape(), .dtype = value.dtype(), .value = value};
  }
  static Slot meta(std::string name, Shape shape, DType dtype = DType::F32) {
    return {.name = std::move(name), .shape = std::move(shape), .dtype = dtype};
  }
};

// What a unit works on: whole tensors, in the order of its slots, alive during the call only.
struct UnitTensors {
  std::vector<Tensor> parameters;
  std::vector<Tensor> buffers;
};

struct Unit {
  std::string name;
  std::vector<Slot> parameters{};  // of one element type
  std::vector<Slot> buffers{};     // not sharded: each rank has its own
  std::function<Tensor(const UnitTensors&, const Tensor& input)> forward{};
  // Adds to `gradients` (like the parameters, zero at first) and returns the gradient of the input.
  std::function<Tensor(const UnitTensors&, const Tensor& input, const Tensor& grad_output,
                       const std::vector<Tensor>& gradients)>
      backward{};
};

struct Module {
  std::vector<Unit> units;
};

}  // namespace ranklint::runtime
