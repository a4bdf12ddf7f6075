// Ids by a hash of what they stand for: the hash-consing table of stores that keep the things themselves.
//
// Open addressing with linear probing (Knuth, The Art of Computer Programming, volume 3, 6.4): a look-up touches one
// line of memory, and the thing itself only when half of its hash agrees.
//
// An index may be laid over another, as a StableVector may (analyzer/base/stable.h): what is in either is found.
#pragma once

#include <cstddef>
#include <cstdint>
#include <utility>
#include <vector>

#include "analyzer/base/ids.h"

namespace ranklint {

template <typename IdType>
class HashIndex {
 public:
  // `slots`: to begin with; a power of two, as every size.
  explicit HashIndex(size_t slots = 1024) : slots_(slots) {}
  static HashIndex over(const HashIndex& below) {
    HashIndex above;
    above.below_ = &below;
    return above;
  }

  // The id that was added under this hash and for which `same(id)` holds; invalid: none.
  template <typename Same>
  IdType find(uint64_t hash, Same same) const {
    const uint32_t tag = tag_of(hash);
    for (size_t slot = first_slot(tag); slots_[slot].id.valid(); slot = next(slot))
      if (slots_[slot].tag == tag && same(slots_[slot].id)) return slots_[slot].id;
    // The one below comes last: it is large, and asking it costs a look into memory that is far away.
    return below_ ? below_->find(hash, same) : IdType{};
  }

  void add(uint64_t hash, IdType id) {
    if (2 * (count_ + 1) > slots_.size()) grow();
    place({tag_of(hash), id});
    ++count_;
  }

 private:
  struct Slot {
    uint32_t tag = 0;
    IdType id;  // invalid: the slot is free
  };
  static uint32_t tag_of(uint64_t hash) { return static_cast<uint32_t>((hash * 0x9e3779b97f4a7c15) >> 32); }
  size_t first_slot(uint32_t tag) const { return tag & (slots_.size() - 1); }
  size_t next(size_t slot) const { return (slot + 1) & (slots_.size() - 1); }

  void place(Slot added) {
    size_t slot = first_slot(added.tag);
    while (slots_[slot].id.valid()) slot = next(slot);
    slots_[slot] = added;
  }
  void grow() {
    const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(2 * slots_.size()));
    for (const Slot& slot : old)
      if (slot.id.valid()) place(slot);
  }

  const HashIndex* below_ = nullptr;
  std::vector<Slot> slots_;
  size_t count_ = 0;
};

}  // namespace ranklint
