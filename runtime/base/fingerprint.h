// A number that stands for a sequence of texts and numbers, to compare between ranks: FNV-1a with 64 bits (Fowler,
// Noll, Vo). It guards against mistakes, not against an adversary.
#pragma once

#include <cstdint>
#include <string_view>

namespace ranklint::runtime {

class Fingerprint {
 public:
  Fingerprint& add(uint64_t number) {
    for (int shift = 0; shift < 64; shift += 8) add_byte(static_cast<uint8_t>(number >> shift));
    return *this;
  }
  Fingerprint& add(std::string_view text) {
    for (const char c : text) add_byte(static_cast<uint8_t>(c));
    return add(text.size());
  }
  uint64_t value() const { return value_; }

 private:
  void add_byte(uint8_t byte) { value_ = (value_ ^ byte) * 0x100000001b3u; }

  uint64_t value_ = 0xcbf29ce484222325u;
};

}  // namespace ranklint::runtime
