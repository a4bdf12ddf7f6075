#include "runtime/sharded/flat_parameter.h"

#include "runtime/base/error.h"

namespace ranklint::runtime {

FlatParameter::FlatParameter(const std::string& unit, const std::vector<Slot>& slots, int ranks) : ranks_(ranks) {
  if (!slots.empty()) dtype_ = slots.front().dtype;
  for (const Slot& slot : slots) {
    if (slot.dtype != dtype_)
      fail(ErrorKind::Unsupported, "unit `" + unit + "` mixes " + std::string(name_of(dtype_)) + " and " +
                                       std::string(name_of(slot.dtype)) + " parameters; one row has one type");
    const Range range{.start = numel_, .length = numel_of(slot.shape)};
    pieces_.push_back({.name = unit + "." + slot.name, .shape = slot.shape, .range = range});
    numel_ += range.length;
  }
  shard_numel_ = ceil_div(numel_, ranks_);
}

Tensor FlatParameter::row(const std::vector<Tensor>& values) const {
  const Device device = values.empty() ? Device::Host : values.front().device();
  Tensor row = Tensor::zeros({padded_numel()}, dtype_, device);
  const std::vector<Tensor> parts = views(row);
  for (size_t i = 0; i < parts.size(); ++i) parts[i].copy_(values[i]);
  return row;
}

std::vector<Tensor> FlatParameter::views(const Tensor& row) const {
  std::vector<Tensor> views;
  for (const Piece& piece : pieces_)
    views.push_back(row.narrow(0, piece.range.start, piece.range.length).reshape(piece.shape));
  return views;
}

Tensor RowBuffer::row(int64_t numel, DType dtype, Device device) {
  const int64_t needed = numel * static_cast<int64_t>(size_bytes(dtype));
  if (bytes_.numel() < needed || bytes_.device() != device) {
    bytes_ = Tensor();  // first give back, then take
    bytes_ = Tensor::empty({needed}, DType::U8, device);
  }
  return Tensor::borrow(std::make_shared<Tensor>(bytes_), bytes_.data(), {numel}, dtype, device);
}

}  // namespace ranklint::runtime
