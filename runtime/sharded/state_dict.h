// A model's tensors by name, whole or in the pieces that ranks hold.
#pragma once

#include <string>
#include <vector>

#include "runtime/base/tensor.h"

namespace ranklint::runtime {

struct NamedTensor {
  std::string name;  // "UNIT.parameter"
  Tensor value;
};
using StateDict = std::vector<NamedTensor>;  // in the model's order

// The elements [start, start + values.numel()) of a parameter, read row by row.
struct StatePiece {
  std::string name;
  Shape shape;  // of the whole parameter
  int64_t start = 0;
  Tensor values;  // [n]
};
using ShardedStateDict = std::vector<StatePiece>;

const Tensor* find(const StateDict& state, const std::string& name);  // null when it is not there

// A copy to be made: loading first finds all of them, so that a state dict that does not fit changes nothing.
struct StateCopy {
  Tensor target;
  Tensor source;  // of the same shape; its type is converted
};
void carry_out(const std::vector<StateCopy>& copies);

// How `target`, the elements [start, start + n) of the parameter `name`, is filled from whichever pieces hold them.
// Throws RankError{Missing} when some are in none, {InvalidArgument} when a piece is of another shape or no stretch of
// it.
std::vector<StateCopy> copies_into(const Tensor& target, const ShardedStateDict& pieces, const std::string& name,
                                   const Shape& shape, int64_t start);

}  // namespace ranklint::runtime
