#include "runtime/group/watch/fingerprint.h"

#include <array>
#include <cstring>

namespace ranklint::runtime {

namespace {

constexpr size_t kLine = 64;
constexpr size_t kAllBytes = size_t{1} << 20;

using Lanes = std::array<uint64_t, kLine / sizeof(uint64_t)>;

// Each lane is a polynomial in an odd number, so one changed word changes it.
void absorb(Lanes& lanes, const std::byte* line) {
  Lanes words;
  std::memcpy(words.data(), line, kLine);
  for (size_t i = 0; i < lanes.size(); ++i) lanes[i] = lanes[i] * 0x9e3779b97f4a7c15ULL + words[i];
}

void absorb_tail(Lanes& lanes, const std::byte* data, size_t size_bytes) {
  std::array<std::byte, kLine> last{};
  if (size_bytes > 0) std::memcpy(last.data(), data, size_bytes);
  absorb(lanes, last.data());
}

}  // namespace

uint64_t fingerprint(const std::byte* data, size_t size_bytes) {
  Lanes lanes{};
  const size_t step = size_bytes <= kAllBytes ? kLine : 4 * kLine;
  size_t at = 0;
  for (; at + kLine <= size_bytes; at += step) absorb(lanes, data + at);
  if (at < size_bytes) absorb_tail(lanes, data + at, size_bytes - at);
  uint64_t all = size_bytes;
  for (const uint64_t lane : lanes) all = (all ^ lane) * 0x100000001b3ULL;
  return all;
}

}  // namespace ranklint::runtime
