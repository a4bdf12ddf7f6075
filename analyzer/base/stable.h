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
//
// A vector may be laid over another: it has the elements of the lower vector under their ids, and what is added goes
// into the upper vector alone. The lower vector must outlive the upper one and must not grow as long as it is there.
// Several vectors may lie over one, and each of them may be used by a different thread.
template <typename IdType, typename T>
class StableVector {
 public:
  StableVector() = default;
  // The ids of added elements start at the next whole piece, so some ids in between are never used.
  static StableVector over(const StableVector& below) {
    StableVector above;
    above.pieces_ = below.pieces_;
    above.size_ = below.pieces_.size() * kPiece;
    return above;
  }

  IdType push_back(T value) {
    if (size_ == pieces_.size() * kPiece) {
      own_.push_back(std::make_unique<std::vector<T>>());
      own_.back()->reserve(kPiece);
      pieces_.push_back(own_.back()->data());
    }
    own_.back()->push_back(std::move(value));
    return IdType{static_cast<uint32_t>(size_++)};
  }
  const T& operator[](IdType id) const {
    RANKLINT_CHECK(contains(id), "an id of another vector");
    return pieces_[id.index / kPiece][id.index % kPiece];
  }
  // The next id. It counts the ids that are never used (over()), too.
  size_t size() const { return size_; }
  bool contains(IdType id) const { return id.index < size_; }

 private:
  static constexpr size_t kPiece = 1024;
  std::vector<const T*> pieces_;  // each of kPiece elements; the last may have fewer
  std::vector<std::unique_ptr<std::vector<T>>> own_;
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
