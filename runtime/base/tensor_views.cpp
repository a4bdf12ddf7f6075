// Views of a tensor and rearrangements of it. All of them move runs of elements that lie together, whatever their type.
#include <algorithm>
#include <cstring>

#include "runtime/base/tensor.h"

namespace ranklint::runtime {

static Shape inferred(Shape shape, int64_t numel) {
  const auto unknown = std::find(shape.begin(), shape.end(), int64_t{-1});
  if (unknown == shape.end()) return shape;
  *unknown = 1;
  const int64_t others = numel_of(shape);
  if (others == 0 || numel % others != 0)
    fail(ErrorKind::InvalidArgument,
         std::to_string(numel) + " elements leave no size for -1 beside " + to_string(shape));
  *unknown = numel / others;
  return shape;
}

Tensor Tensor::reshape(Shape shape) const {
  shape = inferred(std::move(shape), numel_);
  if (numel_of(shape) != numel_)
    fail(ErrorKind::InvalidArgument, "shape " + to_string(shape_) + " has not as many elements as " + to_string(shape));
  Tensor view = *this;
  view.shape_hash_ = runtime::shape_hash(shape);
  view.shape_ = std::move(shape);
  return view;
}

// `count` runs of `bytes` each, from places `source_step` apart to places `target_step` apart.
static void copy_runs(std::byte* target, size_t target_step, const std::byte* source, size_t source_step, size_t bytes,
                      int64_t count) {
  if (bytes == 0) return;
  for (int64_t i = 0; i < count; ++i, target += target_step, source += source_step) std::memcpy(target, source, bytes);
}

Tensor Tensor::narrow(int64_t dimension, int64_t start, int64_t length) const {
  const int64_t d = normalized_dimension(dimension, shape_);
  const int64_t size = shape_[static_cast<size_t>(d)];
  if (start < 0 || length < 0 || start > size || length > size - start)
    fail(ErrorKind::InvalidArgument, "rows " + std::to_string(start) + " + " + std::to_string(length) +
                                         " of dimension " + std::to_string(d) + " of shape " + to_string(shape_));
  Shape shape = shape_;
  shape[static_cast<size_t>(d)] = length;
  if (numel_ == 0) return reshape(std::move(shape));  // whose other sizes may be beyond all counting

  const Around rows = around(shape_, d);
  const size_t row_bytes = static_cast<size_t>(rows.inner) * runtime::size_bytes(dtype_);
  std::byte* first = data_ + static_cast<size_t>(start) * row_bytes;
  if (d == 0) return borrow(owner_, first, std::move(shape), dtype_, device_);

  Tensor out = empty(std::move(shape), dtype_, device_);
  const size_t run = static_cast<size_t>(length) * row_bytes;
  copy_runs(out.data_, run, first, static_cast<size_t>(size) * row_bytes, run, rows.outer);
  return out;
}

static void check_like(const Tensor& piece, const Tensor& first, int64_t dimension) {
  Shape wanted = first.shape();
  if (piece.dim() == first.dim()) wanted[static_cast<size_t>(dimension)] = piece.size(dimension);
  if (piece.shape() != wanted || piece.dtype() != first.dtype() || piece.device() != first.device())
    fail(ErrorKind::InvalidArgument, "cat of unlike tensors: " + std::string(name_of(first.dtype())) +
                                         to_string(first.shape()) + " and " + std::string(name_of(piece.dtype())) +
                                         to_string(piece.shape()) + " along dimension " + std::to_string(dimension));
}

Tensor Tensor::cat(const std::vector<Tensor>& pieces, int64_t dimension) {
  if (pieces.empty()) fail(ErrorKind::InvalidArgument, "cat of no tensors");
  const Tensor& first = pieces.front();
  const int64_t d = normalized_dimension(dimension, first.shape());
  Shape shape = first.shape();
  int64_t& total = shape[static_cast<size_t>(d)];
  total = 0;
  for (const Tensor& piece : pieces) {
    check_like(piece, first, d);
    if (__builtin_add_overflow(total, piece.size(d), &total))
      fail(ErrorKind::InvalidArgument,
           "cat of more rows than can be counted, of pieces like " + to_string(piece.shape()));
  }
  Tensor out = empty(shape, first.dtype(), first.device());
  if (out.numel_ == 0) return out;
  const Around rows = around(shape, d);
  const size_t row_bytes = static_cast<size_t>(rows.inner) * runtime::size_bytes(out.dtype());
  std::byte* target = out.data_;
  for (const Tensor& piece : pieces) {
    const size_t run = static_cast<size_t>(piece.size(d)) * row_bytes;
    copy_runs(target, static_cast<size_t>(total) * row_bytes, piece.data_, run, run, rows.outer);
    target += run;
  }
  return out;
}

static std::vector<int64_t> strides_of(const Shape& shape) {
  std::vector<int64_t> strides(shape.size(), 1);
  for (size_t d = shape.size(); d-- > 1;) strides[d - 1] = strides[d] * shape[d];
  return strides;
}

static void check_permutation(const std::vector<int64_t>& order, const Shape& shape) {
  std::vector<int64_t> sorted = order;
  std::sort(sorted.begin(), sorted.end());
  bool all = sorted.size() == shape.size();
  for (size_t i = 0; all && i < sorted.size(); ++i) all = sorted[i] == static_cast<int64_t>(i);
  if (!all)
    fail(ErrorKind::InvalidArgument,
         to_string(order) + " does not name each dimension of " + to_string(shape) + " once");
}

// Dimensions at the end that stay where they are make the run that is copied at once; the others are counted through
// like an odometer, with the place in the source kept in step.
Tensor Tensor::permute(const std::vector<int64_t>& order) const {
  check_permutation(order, shape_);
  size_t moved = order.size();
  while (moved > 0 && order[moved - 1] == static_cast<int64_t>(moved - 1)) --moved;

  Shape shape(order.size());
  for (size_t i = 0; i < order.size(); ++i) shape[i] = shape_[static_cast<size_t>(order[i])];
  Tensor out = empty(shape, dtype_, device_);
  if (numel_ == 0) return out;

  const std::vector<int64_t> source_strides = strides_of(shape_);
  std::vector<int64_t> strides(order.size());
  for (size_t i = 0; i < order.size(); ++i) strides[i] = source_strides[static_cast<size_t>(order[i])];

  const size_t element = runtime::size_bytes(dtype_);
  const size_t run =
      static_cast<size_t>(numel_of(Shape(shape.begin() + static_cast<int64_t>(moved), shape.end()))) * element;
  std::vector<int64_t> index(moved, 0);
  int64_t from = 0;
  for (std::byte* to = out.data_; to != out.data_ + out.size_bytes(); to += run) {
    std::memcpy(to, data_ + static_cast<size_t>(from) * element, run);
    for (size_t d = moved; d-- > 0;) {
      from += strides[d];
      if (++index[d] < shape[d]) break;
      from -= index[d] * strides[d];
      index[d] = 0;
    }
  }
  return out;
}

static void check_count(int64_t count) {
  if (count <= 0) fail(ErrorKind::InvalidArgument, "a tensor is not cut into " + std::to_string(count) + " pieces");
}

std::vector<Tensor> Tensor::chunk(int64_t count, int64_t dimension) const {
  check_count(count);
  const int64_t total = size(dimension);
  const int64_t length = ceil_div(total, count);
  std::vector<Tensor> pieces;
  for (int64_t start = 0; start < total; start += length)
    pieces.push_back(narrow(dimension, start, std::min(length, total - start)));
  if (total == 0) pieces.assign(static_cast<size_t>(count), *this);
  return pieces;
}

std::vector<Tensor> Tensor::tensor_split(int64_t count, int64_t dimension) const {
  check_count(count);
  const int64_t total = size(dimension);
  std::vector<Tensor> pieces;
  for (int64_t i = 0, start = 0; i < count; ++i) {
    const int64_t length = total / count + (i < total % count);
    pieces.push_back(narrow(dimension, start, length));
    start += length;
  }
  return pieces;
}

}  // namespace ranklint::runtime
