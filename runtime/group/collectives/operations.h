// One pair of functions per collective; see exchange.h for what the two promise.
#pragma once

#include <array>
#include <cstddef>
#include <vector>

#include "runtime/group/collectives/exchange.h"
#include "runtime/group/collectives/kernels.h"

namespace ranklint::runtime {

void share_broadcast(Members members, size_t share);
void deliver_broadcast(Members members, size_t member);
void share_all_reduce(Members members, size_t share);
void deliver_all_reduce(Members members, size_t member);
void share_reduce(Members members, size_t share);
void deliver_reduce(Members members, size_t member);
void deliver_all_gather(Members members, size_t member);
void share_gather(Members members, size_t share);
void deliver_gather(Members members, size_t member);
void deliver_scatter(Members members, size_t member);
void deliver_reduce_scatter(Members members, size_t member);
void deliver_all_to_all(Members members, size_t member);

// A part of [0, total) per share: whole cache lines, so that no two shares write to one.
struct ByteRange {
  size_t begin = 0;
  size_t size = 0;
};
ByteRange part_of(size_t total_bytes, size_t share, size_t shares);

inline size_t root_of(Members members) { return static_cast<size_t>(members.terms().root); }
// How to pass through all pieces of a side.
inline Passage passage_through(const Side& side, size_t count) {
  return passage_through(side.piece(0, count).data, side.whole.size_bytes);
}
// The i-th of so many pieces on that passage.
inline size_t in_turn(size_t i, size_t count, Passage passage) { return passage.backward ? count - 1 - i : i; }
// i % count for i < 2 * count, without a division, as equal_piece.
inline size_t around(size_t i, size_t count) { return i < count ? i : i - count; }
void copy_piece(const Piece& to, const Piece& from, Passage passage);

// Addresses of one place in several members' buffers; without an allocation for the usual few.
template <typename Pointer>
class Addresses {
 public:
  explicit Addresses(size_t capacity) {
    if (capacity > few_.size()) many_.resize(capacity);
  }
  void add(Pointer address) { data()[size_++] = address; }
  std::span<const Pointer> get() { return {data(), size_}; }

 private:
  Pointer* data() { return many_.empty() ? few_.data() : many_.data(); }

  std::array<Pointer, 16> few_;
  std::vector<Pointer> many_;
  size_t size_ = 0;
};

using Sources = Addresses<const std::byte*>;
using Targets = Addresses<std::byte*>;

// Bytes [range) of every member's input reduced in rank order into the same bytes of each target.
void reduce_range(Members members, ByteRange range, std::span<std::byte* const> targets);

}  // namespace ranklint::runtime
