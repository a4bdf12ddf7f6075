#include <cstdint>
#include <cstring>

#if defined(__x86_64__)
#include <immintrin.h>
#endif

#include "runtime/base/instructions.h"
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

// Plain stores of vectors, for what does not begin on a line: from a few KiB on memcpy may become `rep movsb`, which on
// some processors runs at a tenth of the speed when target and source lie unluckily within their lines and pages. Where
// both begin on a line that is twice as fast as this loop, and large copies then write whole lines without fetching
// them first.
__attribute__((target("avx2"))) size_t copy_vectors(std::byte* to, const std::byte* from, size_t size_bytes) {
  size_t at = 0;
  for (; at + 64 <= size_bytes; at += 64) {
    const __m256i low = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + at));
    const __m256i high = _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from + at + 32));
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + at), low);
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to + at + 32), high);
  }
  return at;
}

bool begins_line(const std::byte* at) { return reinterpret_cast<uintptr_t>(at) % 64 == 0; }

void copy_cached(std::byte* to, const std::byte* from, size_t size_bytes, bool whole_lines) {
  const size_t copied = whole_lines ? 0 : copy_vectors(to, from, size_bytes);
  std::memcpy(to + copied, from + copied, size_bytes - copied);
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

bool has_vectors() { return instructions_in_use() >= Instructions::Avx2; }

void copy_much(std::byte* to, const std::byte* from, size_t size_bytes, Passage passage) {
  const bool whole_lines = begins_line(to) && begins_line(from);
  in_chunks(size_bytes, chunk_bytes(passage), [&](size_t begin, size_t end) {
    if (passage.streaming)
      copy_streaming(to + begin, from + begin, end - begin);
    else
      copy_cached(to + begin, from + begin, end - begin, whole_lines);
  });
}
#else
void copy_much(std::byte* to, const std::byte* from, size_t size_bytes, Passage) { std::memcpy(to, from, size_bytes); }
bool has_vectors() { return false; }
#endif

// Less mostly fits into a first cache, with what it is read from; of more nothing is left in a second when its turn
// comes.
constexpr size_t kLeastAlternatedBytes = size_t{32} << 10, kMostAlternatedBytes = size_t{8} << 20;

// Places that fall together, and are passed in turn, may be passed the same way each time.
bool alternate(const std::byte* place) {
  thread_local uint64_t backward = 0;
  constexpr uint64_t kGolden = 0x9e3779b97f4a7c15;  // Fibonacci hashing (Knuth, The Art of Computer Programming 3, 6.4)
  const uint64_t bit = uint64_t{1} << (reinterpret_cast<uintptr_t>(place) / 64 * kGolden >> 58);
  backward ^= bit;
  return (backward & bit) != 0;
}

}  // namespace

Passage passage_through(const std::byte* place, size_t total_bytes) {
  const bool alternates = total_bytes >= kLeastAlternatedBytes && total_bytes <= kMostAlternatedBytes;
  return {.backward = alternates && alternate(place), .streaming = streams(total_bytes)};
}

void copy_bytes(std::byte* to, const std::byte* from, size_t size_bytes, Passage passage) {
  if (size_bytes == 0 || to == from) return;
  constexpr size_t kFew = 1024;
  if (size_bytes < kFew || !has_vectors())
    std::memcpy(to, from, size_bytes);
  else
    copy_much(to, from, size_bytes, passage);
}

}  // namespace ranklint::runtime
