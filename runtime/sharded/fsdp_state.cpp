// Fsdp's tensors out of it and into it again.
#include <algorithm>

#include "runtime/sharded/fsdp.h"

namespace ranklint::runtime {

StateDict Fsdp::full_state_dict(Site site) {
  StateDict state;
  for (size_t unit = 0; unit < module_.units.size(); ++unit) {
    const Tensor row = new_row(unit);
    gather(unit, row, "Fsdp.full_state_dict", site);
    const UnitTensors tensors = whole(unit, row);
    for (size_t i = 0; i < tensors.parameters.size(); ++i)
      state.push_back({.name = flat_[unit].pieces()[i].name, .value = tensors.parameters[i]});
    const std::vector<Slot>& buffers = module_.units[unit].buffers;
    for (size_t i = 0; i < buffers.size(); ++i)
      state.push_back({.name = module_.units[unit].name + "." + buffers[i].name, .value = tensors.buffers[i].clone()});
  }
  return state;
}

static const Tensor& required(const StateDict& state, const std::string& name, const Shape& shape) {
  const Tensor* value = find(state, name);
  if (!value) fail(ErrorKind::Missing, "`" + name + "` is not in the state dict");
  if (value->shape() != shape)
    fail(ErrorKind::InvalidArgument, "`" + name + "` has shape " + to_string(value->shape()) +
                                         " in the state dict and " + to_string(shape) + " in the model");
  return *value;
}

namespace {
// The part of one parameter that lies in one rank's shard.
struct Overlap {
  int64_t in_parameter = 0;
  int64_t in_shard = 0;
  int64_t length = 0;
};
}  // namespace

static Overlap overlap(const Range& parameter, const Range& shard) {
  const int64_t start = std::max(parameter.start, shard.start);
  const int64_t end = std::min(parameter.start + parameter.length, shard.start + shard.length);
  return {.in_parameter = start - parameter.start,
          .in_shard = start - shard.start,
          .length = std::max<int64_t>(0, end - start)};
}

void Fsdp::load_full_state_dict(const StateDict& state) {
  ShardedStateDict whole_pieces;
  for (const FlatParameter& flat : flat_)
    for (const FlatParameter::Piece& piece : flat.pieces()) {
      const Tensor& value = required(state, piece.name, piece.shape);
      whole_pieces.push_back(
          {.name = piece.name, .shape = piece.shape, .start = 0, .values = value.reshape({value.numel()})});
    }
  std::vector<StateCopy> copies = copies_into_shards(whole_pieces);
  for (const Unit& unit : module_.units)
    for (const Slot& slot : unit.buffers)
      copies.push_back({.target = *slot.value, .source = required(state, unit.name + "." + slot.name, slot.shape)});
  carry_out(copies);
}

ShardedStateDict Fsdp::sharded_state_dict() const {
  ShardedStateDict pieces;
  for (size_t unit = 0; unit < flat_.size(); ++unit) {
    const Tensor values = shards_[unit].parameter.clone();
    for (const FlatParameter::Piece& piece : flat_[unit].pieces())
      if (const Overlap part = overlap(piece.range, flat_[unit].shard(group_.rank())); part.length > 0)
        pieces.push_back({.name = piece.name,
                          .shape = piece.shape,
                          .start = part.in_parameter,
                          .values = values.narrow(0, part.in_shard, part.length)});
  }
  return pieces;
}

void Fsdp::load_sharded_state_dict(const ShardedStateDict& pieces) { carry_out(copies_into_shards(pieces)); }

std::vector<StateCopy> Fsdp::copies_into_shards(const ShardedStateDict& pieces) const {
  std::vector<StateCopy> all;
  for (size_t unit = 0; unit < flat_.size(); ++unit)
    for (const FlatParameter::Piece& piece : flat_[unit].pieces())
      if (const Overlap part = overlap(piece.range, flat_[unit].shard(group_.rank())); part.length > 0) {
        const Tensor target = shards_[unit].parameter.narrow(0, part.in_shard, part.length);
        const std::vector<StateCopy> copies = copies_into(target, pieces, piece.name, piece.shape, part.in_parameter);
        all.insert(all.end(), copies.begin(), copies.end());
      }
  return all;
}

}  // namespace ranklint::runtime
