// Ids by a hash of what they stand for: the hash-consing table of stores that keep the things themselves.
//
// Open addressing with linear probing (Knuth, The Art of Computer Programming, volume 3, 6.4): a look-up touches one
// line of memory, and the thing itself only when half of its hash agrees.
//
// A large table is divided into parts, each of which grows by itself and by a quarter: at no time are there two of the
// whole table, and a third of it at most lies idle.
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
  // `parts`: a power of two; one does for a small table.
  explicit HashIndex(size_t parts = 64) : parts_(parts) {}
  static HashIndex over(const HashIndex& below) {
    HashIndex above;
    above.below_ = &below;
    return above;
  }

  // The id that was added under this hash and for which `same(id)` holds; invalid: none.
  template <typename Same>
  IdType find(uint64_t hash, Same same) const {
    const uint32_t tag = tag_of(hash);
    if (const IdType found = part_of(tag).find(tag, same); found.valid()) return found;
    // The one below comes last: it is large, and asking it costs a look into memory that is far away.
    return below_ ? below_->find(hash, same) : IdType{};
  }

  void add(uint64_t hash, IdType id) {
    const uint32_t tag = tag_of(hash);
    parts_[number_of_part(tag)].add({tag, id});
  }

 private:
  struct Slot {
    uint32_t tag = 0;
    IdType id;  // invalid: the slot is free
  };

  class Part {
   public:
    template <typename Same>
    IdType find(uint32_t tag, Same same) const {
      if (slots_.empty()) return {};
      for (size_t slot = first_slot(tag); slots_[slot].id.valid(); slot = next(slot))
        if (slots_[slot].tag == tag && same(slots_[slot].id)) return slots_[slot].id;
      return {};
    }
    void add(Slot added) {
      if (10 * (count_ + 1) > 7 * slots_.size()) grow();
      place(added);
      ++count_;
    }

   private:
    static constexpr size_t kFewest = 16;

    // The order of the tags, so that growing goes through both tables from end to end, and for any number of slots
    // (Lemire, Fast Random Integer Generation in an Interval).
    size_t first_slot(uint32_t tag) const { return (uint64_t{tag} * slots_.size()) >> 32; }
    size_t next(size_t slot) const { return slot + 1 == slots_.size() ? 0 : slot + 1; }

    void place(Slot added) {
      size_t slot = first_slot(added.tag);
      while (slots_[slot].id.valid()) slot = next(slot);
      slots_[slot] = added;
    }
    void grow() {
      const size_t size = slots_.size();
      const std::vector<Slot> old = std::exchange(slots_, std::vector<Slot>(size ? size + size / 4 : kFewest));
      for (const Slot& slot : old)
        if (slot.id.valid()) place(slot);
    }

    std::vector<Slot> slots_;
    size_t count_ = 0;
  };

  static uint32_t tag_of(uint64_t hash) { return static_cast<uint32_t>((hash * 0x9e3779b97f4a7c15) >> 32); }
  // By the low end of the tag: the place in the part goes by the high one.
  size_t number_of_part(uint32_t tag) const { return tag & (parts_.size() - 1); }
  const Part& part_of(uint32_t tag) const { return parts_[number_of_part(tag)]; }

  const HashIndex* below_ = nullptr;
  std::vector<Part> parts_;
};

}  // namespace ranklint
