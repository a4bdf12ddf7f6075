// Containers that grow without moving what they hold, so that references and spans into them stay good while terms
// are being made: `f(store[v])` may add to `store`.
#pragma once

#include <algorithm>
#include <memory>
#include <span>
#include <vector>

#include "analyzer/base/ids.h"

namespace ranklint {

// Like IdVector, for what is only ever added. An element stays where it is for the life of the vector.
template <typename IdType, typename T>
class StableVector {
 public:
  IdType push_back(T value) {
    if (size_ == pieces_.size() * kPiece) {
      pieces_.push_back(std::make_unique<std::vector<T>>());
      pieces_.back()->reserve(kPiece);
    }
    pieces_.back()->push_back(std::move(value));
    return IdType{static_cast<uint32_t>(size_++)};
  }
  const T& operator[](IdType id) const {
    RANKLINT_CHECK(contains(id), "an id of another vector");
    return (*pieces_[id.index / kPiece])[id.index % kPiece];
  }
  size_t size() const { return size_; }
  bool contains(IdType id) const { return id.index < size_; }

 private:
  static constexpr size_t kPiece = 1024;
  std::vector<std::unique_ptr<std::vector<T>>> pieces_;
  size_t size_ = 0;
};

// Keeps lists for good. An empty list takes no room.
template <typename T>
class ListArena {
 public:
  std::span<const T> keep(std::span<const T> list) {
    if (list.empty()) return {};
    if (room_ < list.size()) {
      room_ = std::max(kPiece, list.size());
      pieces_.push_back(std::make_unique<T[]>(room_));
      next_ = pieces_.back().get();
    }
    const std::span<const T> kept(next_, list.size());
    std::copy(list.begin(), list.end(), next_);
    next_ += list.size();
    room_ -= list.size();
    return kept;
  }

 private:
  static constexpr size_t kPiece = 4096;
  std::vector<std::unique_ptr<T[]>> pieces_;
  T* next_ = nullptr;
  size_t room_ = 0;
};

}  // namespace ranklint
