#include "runtime/loader/box.h"

#include <algorithm>
#include <cstring>

namespace ranklint::runtime {

Box whole_of(const Shape& shape) { return {Shape(shape.size(), 0), shape}; }

Box box_of(const LocalPart& part) { return {part.offset, part.shape}; }

bool lies_within(const Box& box, const Shape& shape) {
  if (box.offsets.size() != shape.size() || box.sizes.size() != shape.size()) return false;
  for (size_t d = 0; d < shape.size(); ++d) {
    if (box.offsets[d] < 0 || box.sizes[d] < 0) return false;
    if (box.offsets[d] > shape[d] || box.sizes[d] > shape[d] - box.offsets[d]) return false;
  }
  return true;
}

bool is_empty(const Box& box) { return std::find(box.sizes.begin(), box.sizes.end(), 0) != box.sizes.end(); }

Box intersection(const Box& a, const Box& b) {
  Box out{a.offsets, a.sizes};
  for (size_t d = 0; d < a.sizes.size(); ++d) {
    const int64_t begin = std::max(a.offsets[d], b.offsets[d]);
    const int64_t end = std::min(a.offsets[d] + a.sizes[d], b.offsets[d] + b.sizes[d]);
    out.offsets[d] = begin;
    out.sizes[d] = std::max<int64_t>(0, end - begin);
  }
  return out;
}

// Whether it can be written as ranges: as many offsets as sizes, and every end is a number that there is.
static bool has_ends(const Box& box) {
  if (box.offsets.size() != box.sizes.size()) return false;
  int64_t end = 0;
  for (size_t d = 0; d < box.sizes.size(); ++d)
    if (__builtin_add_overflow(box.offsets[d], box.sizes[d], &end)) return false;
  return true;
}

std::string to_string(const Box& box) {
  if (!has_ends(box)) return "of offsets " + to_string(box.offsets) + " and sizes " + to_string(box.sizes);
  std::string text = "[";
  for (size_t d = 0; d < box.sizes.size(); ++d)
    text += (d ? ", " : "") + std::to_string(box.offsets[d]) + ":" + std::to_string(box.offsets[d] + box.sizes[d]);
  return text + "]";
}

// Elements from one index of a dimension to the next.
static std::vector<uint64_t> strides_of(const Box& box) {
  std::vector<uint64_t> strides(box.sizes.size(), 1);
  for (size_t d = strides.size(); d-- > 1;) strides[d - 1] = strides[d] * static_cast<uint64_t>(box.sizes[d]);
  return strides;
}

Runs::Runs(const Box& part, const Box& source, const Box& destination, size_t element_bytes) {
  if (is_empty(part)) return;
  const std::vector<uint64_t> from = strides_of(source), to = strides_of(destination);
  const auto size = [&](size_t d) { return static_cast<uint64_t>(part.sizes[d]); };
  const auto full = [&](size_t d) { return part.sizes[d] == source.sizes[d] && part.sizes[d] == destination.sizes[d]; };

  size_t outside = part.sizes.size();  // dimensions that are not in the run
  run_bytes_ = element_bytes;
  bool open = true;
  while (open && outside > 0) {
    --outside;
    run_bytes_ *= size(outside);
    open = full(outside);
  }
  count_ = 1;
  for (size_t d = 0; d < part.sizes.size(); ++d) {
    first_.source += static_cast<uint64_t>(part.offsets[d] - source.offsets[d]) * from[d] * element_bytes;
    first_.destination += static_cast<uint64_t>(part.offsets[d] - destination.offsets[d]) * to[d] * element_bytes;
    if (d >= outside) continue;
    loops_.push_back({size(d), from[d] * element_bytes, to[d] * element_bytes});
    count_ *= size(d);
  }
}

Runs::Place Runs::at(size_t k) const {
  Place place = first_;
  for (size_t i = loops_.size(); i-- > 0;) {
    const uint64_t index = k % loops_[i].count;
    k /= loops_[i].count;
    place.source += index * loops_[i].source_stride;
    place.destination += index * loops_[i].destination_stride;
  }
  return place;
}

void copy_part(const Box& part, const Box& source, const std::byte* from, const Box& destination, std::byte* to,
               size_t element_bytes) {
  const Runs runs(part, source, destination, element_bytes);
  for (size_t k = 0; k < runs.count(); ++k)
    std::memcpy(to + runs.destination(k), from + runs.source(k), runs.run_bytes());
}

}  // namespace ranklint::runtime
