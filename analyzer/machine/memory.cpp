// Cells of memory. An access that fits the cells it meets is exact; any other loses what it touches.
#include <algorithm>

#include "analyzer/machine/value.h"

namespace ranklint::machine {

namespace {

// An object of more elements is not laid out densely.
constexpr uint64_t kMostCells = 1u << 22;
// What is lost of more bytes at once is not kept cell by cell.
constexpr int64_t kMostLost = 4096;

// Bytes in which something is found again. A program that forgets `sizeof` when it allocates memory writes past its
// end, and mostly nothing happens.
uint64_t room_bytes(const Object& object) {
  return object.life == Object::Life::Heap ? object.size_bytes * 8 : object.size_bytes;
}

// The index of the cell when the object is dense and the access is that of an element.
bool is_element(const Object& object, int64_t offset, uint32_t bytes, uint64_t& index) {
  const uint32_t element = size_bytes(object.element);
  if (!element || bytes != element || offset < 0 || offset % element) return false;
  index = static_cast<uint64_t>(offset) / element;
  return index < kMostCells && (!object.size_known || (index + 1) * element <= room_bytes(object));
}

Value untouched(const Object& object) { return object.clouded ? unknown() : object.zeroed ? integer(0) : Value{}; }

// Cells of other sizes that lie over these bytes go.
void drop_overlapping(Object& object, int64_t offset, int64_t bytes) {
  auto it = object.sparse.lower_bound(offset - 16);
  while (it != object.sparse.end() && it->first < offset + bytes) {
    const bool overlaps = it->first + it->second.size_bytes > offset;
    it = overlaps ? object.sparse.erase(it) : std::next(it);
  }
}

bool overlaps_any(const Object& object, int64_t offset, int64_t bytes) {
  for (auto it = object.sparse.lower_bound(offset - 16); it != object.sparse.end() && it->first < offset + bytes; ++it)
    if (it->first + it->second.size_bytes > offset) return true;
  return false;
}

void spread(Object& object) {
  const uint32_t element = size_bytes(object.element);
  for (size_t i = 0; i < object.dense.size(); ++i)
    if (object.dense[i].kind != Value::Kind::Undefined)
      object.sparse[static_cast<int64_t>(i * element)] = {element, object.dense[i]};
  object.dense.clear();
  object.element = Scalar::None;
}

}  // namespace

Value load(const Object& object, int64_t offset, uint32_t bytes) {
  uint64_t index = 0;
  if (is_element(object, offset, bytes, index))
    return index < object.dense.size() ? object.dense[index] : untouched(object);
  if (object.element != Scalar::None) return unknown();
  if (auto cell = object.sparse.find(offset); cell != object.sparse.end() && cell->second.size_bytes == bytes)
    return cell->second.value;
  return overlaps_any(object, offset, bytes) ? unknown() : untouched(object);
}

uint32_t cell_at(const Object& object, int64_t offset) {
  const uint32_t element = size_bytes(object.element);
  if (element) return offset >= 0 && offset % element == 0 ? element : 0;
  const auto cell = object.sparse.find(offset);
  return cell == object.sparse.end() ? 0 : cell->second.size_bytes;
}

void store(Object& object, int64_t offset, uint32_t bytes, Value value) {
  uint64_t index = 0;
  if (is_element(object, offset, bytes, index)) {
    if (index >= object.dense.size()) object.dense.resize(index + 1, untouched(object));
    object.dense[index] = value;
    return;
  }
  if (object.element != Scalar::None) {
    if (offset < 0 || (object.size_known && static_cast<uint64_t>(offset) + bytes > room_bytes(object))) return;
    spread(object);
  }
  drop_overlapping(object, offset, bytes);
  object.sparse[offset] = {bytes, value};
}

namespace {

// All values that overlap these bytes become unknown.
void forget_cells(Object& object, int64_t offset, int64_t bytes) {
  if (const uint32_t element = size_bytes(object.element)) {
    const auto begin = static_cast<size_t>(std::max<int64_t>(offset, 0) / element);
    for (size_t i = begin; i < object.dense.size() && static_cast<int64_t>(i * element) < offset + bytes; ++i)
      object.dense[i] = unknown();
    return;
  }
  for (auto it = object.sparse.lower_bound(offset - 16); it != object.sparse.end() && it->first < offset + bytes; ++it)
    if (it->first + it->second.size_bytes > offset) it->second.value = unknown();
}

bool is_all_of(const Object& object, int64_t offset, int64_t bytes) {
  return offset == 0 && object.size_known && static_cast<uint64_t>(bytes) >= object.size_bytes;
}

}  // namespace

void forget(Object& object, int64_t offset, int64_t bytes) {
  if (is_all_of(object, offset, bytes)) {
    object.dense.clear();
    object.sparse.clear();
    object.clouded = true;
    return;
  }
  if (bytes > kMostLost) {
    forget_cells(object, offset, bytes);
    object.clouded = true;
    return;
  }
  if (const uint32_t element = size_bytes(object.element)) {
    for (int64_t o = offset - offset % element; o < offset + bytes; o += element) store(object, o, element, unknown());
    return;
  }
  forget_cells(object, offset, bytes);
  for (int64_t o = 0; o < bytes; o += 8) {
    const int64_t width = std::min<int64_t>(8, bytes - o);
    if (!overlaps_any(object, offset + o, width)) object.sparse[offset + o] = {static_cast<uint32_t>(width), unknown()};
  }
}

void copy(Object& to, int64_t to_offset, const Object& from, int64_t from_offset, int64_t bytes) {
  if (&to == &from) {
    const Object same = from;
    return copy(to, to_offset, same, from_offset, bytes);
  }
  if (const uint32_t element = size_bytes(from.element)) {
    const int64_t written = static_cast<int64_t>(from.dense.size() * element) - from_offset;
    if (bytes - written > kMostLost && written >= 0) {
      if (from.zeroed && !from.clouded)
        zero(to, to_offset + written, bytes - written);
      else
        forget(to, to_offset + written, bytes - written);
      bytes = written;
    }
    for (int64_t o = 0; o + element <= bytes; o += element) {
      const Value v = load(from, from_offset + o, element);
      if (to.element == Scalar::None && v.kind == Value::Kind::Undefined) continue;
      store(to, to_offset + o, element, v);
    }
    return;
  }
  if (to.element == Scalar::None) drop_overlapping(to, to_offset, bytes);
  if (from.clouded)
    forget(to, to_offset, bytes);
  else if (from.zeroed)
    zero(to, to_offset, bytes);
  for (auto it = from.sparse.lower_bound(from_offset); it != from.sparse.end() && it->first < from_offset + bytes; ++it)
    store(to, to_offset + it->first - from_offset, it->second.size_bytes, it->second.value);
}

void zero(Object& object, int64_t offset, int64_t bytes) {
  const uint32_t element = size_bytes(object.element);
  if (offset == 0 && (!object.size_known || static_cast<uint64_t>(bytes) >= object.size_bytes)) {
    object.dense.clear();
    object.sparse.clear();
    object.zeroed = true;
    object.clouded = false;
    return;
  }
  if (element) {
    for (int64_t o = 0; o + element <= bytes && o < (1 << 22); o += element)
      store(object, offset + o, element, integer(0));
    return;
  }
  drop_overlapping(object, offset, bytes);
  // Sizes of the members are not known here; words are the likely ones.
  for (int64_t o = 0; o + 4 <= bytes && o < (1 << 16); o += 4) object.sparse[offset + o] = {4, integer(0)};
}

void set_element(Object& object, Scalar element) {
  if (object.element == Scalar::None && object.sparse.empty()) object.element = element;
}

}  // namespace ranklint::machine
