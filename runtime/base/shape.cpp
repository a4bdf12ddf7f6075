#include "runtime/base/shape.h"

#include "runtime/base/error.h"

namespace ranklint::runtime {

int64_t numel_of(const Shape& shape) {
  int64_t product = 1;
  bool overflow = false;
  for (const int64_t size : shape) {
    if (size < 0) fail(ErrorKind::InvalidArgument, "a shape has no negative size: " + to_string(shape));
    if (size == 0) return 0;
    overflow |= __builtin_mul_overflow(product, size, &product);
  }
  if (overflow) fail(ErrorKind::InvalidArgument, "more elements than can be counted: " + to_string(shape));
  return product;
}

std::string to_string(const Shape& shape) {
  std::string text = "[";
  for (const int64_t size : shape) text += (text.size() > 1 ? ", " : "") + std::to_string(size);
  return text + "]";
}

uint32_t shape_hash(const Shape& shape) {
  uint64_t hash = 0xcbf29ce484222325u;
  for (const int64_t size : shape) hash = (hash ^ static_cast<uint64_t>(size)) * 0x100000001b3u;
  return static_cast<uint32_t>(hash ^ hash >> 32) | 1;
}

int64_t normalized_dimension(int64_t dimension, const Shape& shape) {
  const auto count = static_cast<int64_t>(shape.size());
  if (dimension < -count || dimension >= count)
    fail(ErrorKind::InvalidArgument,
         "dimension " + std::to_string(dimension) + " of a tensor of shape " + to_string(shape));
  return dimension < 0 ? dimension + count : dimension;
}

Around around(const Shape& shape, int64_t dimension) {
  const auto at = shape.begin() + dimension;
  return {.outer = numel_of(Shape(shape.begin(), at)), .inner = numel_of(Shape(at + 1, shape.end()))};
}

}  // namespace ranklint::runtime
