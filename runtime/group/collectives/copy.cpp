#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "runtime/group/collectives/kernels.h"

namespace ranklint::runtime {

namespace {

#if defined(__x86_64__)
// Non-temporal stores of whole lines; the head up to the first line and the tail are copied plainly. `at` is 64-byte
// aligned from the first streamed store on.
__attribute__((target("avx2"))) void stream_lines(std::byte* to, const std::byte* from, size_t lines) {
  for (size_t i = 0; i < lines; ++i, to += 64, from += 64) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + 32));
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to), low);
    _mm256_stream_si256(reinterpret_cast<__m256i*>(to + 32), high);
  }
  _mm_sfence();
}

void copy_streaming(std::byte* to, const std::byte* from, size_t size_bytes) {
  const size_t head = (64 - reinterpret_cast<uintptr_t>(to) % 64) % 64;
  if (size_bytes < head + 64) {
    std::memcpy(to, from, size_bytes);
    return;
  }
  std::memcpy(to, from, head);
  const size_t lines = (size_bytes - head) / 64;
  stream_lines(to + head, from + head, lines);
  const size_t copied = head + lines * 64;
  std::memcpy(to + copied, from + copied, size_bytes - copied);
}

bool can_stream() {
  static const bool kHasAvx2 = __builtin_cpu_supports("avx2");
  return kHasAvx2;
}
#else
void copy_streaming(std::byte* to, const std::byte* from, size_t size_bytes) { std::memcpy(to, from, size_bytes); }
bool can_stream() { return false; }
#endif

}  // namespace

void copy_bytes(std::byte* to, const std::byte* from, size_t size_bytes, bool stream) {
  if (size_bytes == 0 || to == from) return;
  if (stream && can_stream())
    copy_streaming(to, from, size_bytes);
  else
    std::memcpy(to, from, size_bytes);
}

}  // namespace ranklint::runtime
