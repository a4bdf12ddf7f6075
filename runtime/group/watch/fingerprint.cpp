#include "runtime/group/watch/fingerprint.h"

#include <array>
#include <cstdint>
#include <cstring>

namespace ranklint::runtime {

namespace {

constexpr size_t kLine = 64;
constexpr size_t kAllBytes = size_t{256} << 10;
constexpr size_t kStretch = 16 * kLine;  // beyond, of which one line is looked at

using Lanes = std::array<uint64_t, kLine / sizeof(uint64_t)>;

// Each lane is a polynomial in an odd number, so one changed word changes it.
void absorb(Lanes& lanes, const std::byte* line) {
  Lanes words;
  std::memcpy(words.data(), line, kLine);
  for (size_t i = 0; i < lanes.size(); ++i) lanes[i] = lanes[i] * 0x9e3779b97f4a7c15ULL + words[i];
}

void absorb_all(Lanes& lanes, const std::byte* data, size_t size_bytes) {
  size_t at = 0;
  for (; at + kLine <= size_bytes; at += kLine) absorb(lanes, data + at);
  if (at == size_bytes) return;
  std::array<std::byte, kLine> last{};
  std::memcpy(last.data(), data + at, size_bytes - at);
  absorb(lanes, last.data());
}

// The lines looked at lie in no column of a matrix: D. Knuth's multiplicative hashing (The Art of Computer
// Programming, 6.4) says which it is of each stretch.
void absorb_some(Lanes& lanes, const std::byte* data, size_t size_bytes) {
  for (size_t stretch = 0; (stretch + 1) * kStretch <= size_bytes; ++stretch) {
    const size_t line = static_cast<uint32_t>(stretch) * 0x9e3779b9u >> 28;
    absorb(lanes, data + stretch * kStretch + line * kLine);
  }
  absorb(lanes, data + size_bytes - kLine);
}

}  // namespace

uint64_t fingerprint(const std::byte* data, size_t size_bytes) {
  Lanes lanes{};
  if (size_bytes <= kAllBytes)
    absorb_all(lanes, data, size_bytes);
  else
    absorb_some(lanes, data, size_bytes);
  uint64_t all = size_bytes;
  for (const uint64_t lane : lanes) all = (all ^ lane) * 0x100000001b3ULL;
  return all;
}

}  // namespace ranklint::runtime
