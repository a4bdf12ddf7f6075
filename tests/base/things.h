#pragma once

#include "analyzer/base/hash_index.h"
#include "analyzer/base/ids.h"

namespace ranklint::test {

using ThingId = Id<struct ThingTag>;

// The thing of this number that was added under the hash; invalid: none was.
inline ThingId find_thing(const HashIndex<ThingId>& index, uint64_t hash, uint32_t thing) {
  return index.find(hash, [thing](ThingId id) { return id.index == thing; });
}

}  // namespace ranklint::test
