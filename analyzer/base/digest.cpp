#include "analyzer/base/digest.h"

#define XXH_INLINE_ALL
#include <xxhash.h>

namespace ranklint {

Digest digest_of(std::string_view bytes) {
  const XXH128_hash_t hash = XXH3_128bits(bytes.data(), bytes.size());
  return {.high = hash.high64, .low = hash.low64};
}

std::string hex_of(const Digest& digest) {
  std::string digits;
  for (const uint64_t half : {digest.high, digest.low})
    for (int shift = 60; shift >= 0; shift -= 4) digits += "0123456789abcdef"[half >> shift & 15U];
  return digits;
}

Digester& Digester::add_number(uint64_t number) {
  for (int shift = 0; shift < 64; shift += 8) numbers_ += static_cast<char>(number >> shift & 0xFFU);
  return *this;
}

}  // namespace ranklint
