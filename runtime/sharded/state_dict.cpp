#include "runtime/sharded/state_dict.h"

#include <algorithm>

namespace ranklint::runtime {

const Tensor* find(const StateDict& state, const std::string& name) {
  const auto found = std::find_if(state.begin(), state.end(), [&](const NamedTensor& t) { return t.name == name; });
  return found == state.end() ? nullptr : &found->value;
}

static std::vector<const StatePiece*> pieces_of(const ShardedStateDict& pieces, const std::string& name,
                                                const Shape& shape) {
  std::vector<const StatePiece*> found;
  for (const StatePiece& piece : pieces) {
    if (piece.name != name) continue;
    if (piece.shape != shape)
      fail(ErrorKind::InvalidArgument, "`" + name + "` has shape " + to_string(piece.shape) +
                                           " in the state dict and " + to_string(shape) + " in the model");
    const int64_t numel = numel_of(shape), length = piece.values.numel();
    if (piece.values.dim() != 1 || piece.start < 0 || length > numel || piece.start > numel - length)
      fail(ErrorKind::InvalidArgument, "`" + name + "`: a piece of shape " + to_string(piece.values.shape()) +
                                           " at element " + std::to_string(piece.start) + " is no stretch of " +
                                           to_string(shape));
    found.push_back(&piece);
  }
  std::stable_sort(found.begin(), found.end(), [](const auto* a, const auto* b) { return a->start < b->start; });
  return found;
}

void carry_out(const std::vector<StateCopy>& copies) {
  for (const StateCopy& copy : copies) copy.target.copy_(copy.source);
}

std::vector<StateCopy> copies_into(const Tensor& target, const ShardedStateDict& pieces, const std::string& name,
                                   const Shape& shape, int64_t start) {
  std::vector<StateCopy> copies;
  const int64_t end = start + target.numel();
  int64_t filled = start;
  for (const StatePiece* piece : pieces_of(pieces, name, shape)) {
    const int64_t stop = std::min(end, piece->start + piece->values.numel());
    if (piece->start > filled || stop <= filled) continue;
    copies.push_back({.target = target.narrow(0, filled - start, stop - filled),
                      .source = piece->values.narrow(0, filled - piece->start, stop - filled)});
    filled = stop;
  }
  if (filled < end)
    fail(ErrorKind::Missing, "`" + name + "`: element " + std::to_string(filled) + " is in no piece of the state dict");
  return copies;
}

}  // namespace ranklint::runtime
