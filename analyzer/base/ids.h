// Strong ids into flat vectors: cheap, printable, impossible to mix up.
#pragma once

#include <compare>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>
#include <vector>

#include "analyzer/base/check.h"
#include "analyzer/base/compact_vector.h"

namespace ranklint {

template <typename Tag>
struct Id {
  static constexpr uint32_t kNone = std::numeric_limits<uint32_t>::max();
  uint32_t index = kNone;

  bool valid() const { return index != kNone; }
  friend auto operator<=>(Id, Id) = default;
};

// A vector that only its own id type indexes. Every function has expressions and blocks of its own and their ids are
// of one type: an id that strays into another function's vector stops here, in every build, instead of reading on.
template <typename IdType, typename T, typename Items = std::vector<T>>
class IdVector {
 public:
  IdVector() = default;
  explicit IdVector(Items items) : items_(std::move(items)) {}
  IdType push_back(T value) {
    items_.push_back(std::move(value));
    return IdType{static_cast<uint32_t>(items_.size() - 1)};
  }
  T& operator[](IdType id) {
    RANKLINT_CHECK(contains(id), "an id of another vector");
    return items_.data()[id.index];
  }
  const T& operator[](IdType id) const {
    RANKLINT_CHECK(contains(id), "an id of another vector");
    return items_.data()[id.index];
  }
  size_t size() const { return items_.size(); }
  bool empty() const { return items_.empty(); }
  bool contains(IdType id) const { return id.index < items_.size(); }
  IdType next_id() const { return IdType{static_cast<uint32_t>(items_.size())}; }
  void resize(size_t n) { items_.resize(n); }
  void shrink_to_fit() { items_.shrink_to_fit(); }
  auto begin() { return items_.begin(); }
  auto end() { return items_.end(); }
  auto begin() const { return items_.begin(); }
  auto end() const { return items_.end(); }
  T& back() { return items_.back(); }
  const Items& values() const { return items_; }
  friend bool operator==(const IdVector&, const IdVector&) = default;

 private:
  Items items_;
};

// The same in the room of one pointer.
template <typename IdType, typename T>
using CompactIdVector = IdVector<IdType, T, CompactVector<T>>;

}  // namespace ranklint
