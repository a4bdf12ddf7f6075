#pragma once

#include <cstdint>

namespace ranklint {

// The hash of what was hashed so far and one number more.
constexpr uint64_t mixed_hash(uint64_t hash, uint64_t more) {
  hash = (hash ^ more) * 0x9e3779b97f4a7c15;
  return hash ^ (hash >> 29);
}

}  // namespace ranklint
