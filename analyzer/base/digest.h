// A number that stands for bytes: XXH3 with 128 bits (https://xxhash.com). Different bytes have different digests with
// near certainty; it is no defence against an attacker who constructs equal ones.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>

namespace ranklint {

struct Digest {
  uint64_t high = 0;
  uint64_t low = 0;
  friend auto operator<=>(const Digest&, const Digest&) = default;
};

Digest digest_of(std::string_view bytes);

// 32 digits, in lower case.
std::string hex_of(const Digest& digest);

// The digest of a sequence of values, each by its own digest: `ab`, `c` and `a`, `bc` differ.
class Digester {
 public:
  Digester& add(std::string_view bytes) { return add(digest_of(bytes)); }
  Digester& add(const Digest& digest) { return add_number(digest.high).add_number(digest.low); }
  Digester& add_number(uint64_t number);
  Digest digest() const { return digest_of(numbers_); }

 private:
  std::string numbers_;  // eight bytes each
};

}  // namespace ranklint
