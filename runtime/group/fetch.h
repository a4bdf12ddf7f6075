// Memory ahead of its use.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ranklint::runtime {

// Asks for a cache line that is going to be written.
inline void fetch_to_write(const void* address) {
#if defined(__x86_64__)
  // Not __builtin_prefetch(address, 1), which without -mprfchw is a prefetch for reading.
  asm volatile("prefetchw %0" : : "m"(*static_cast<const char*>(address)));
#else
  __builtin_prefetch(address, 1);
#endif
}

inline void fetch_to_read(const void* address) { __builtin_prefetch(address); }

// All lines in which so many bytes lie.
inline void fetch_to_write(const std::byte* begin, size_t size_bytes) {
  const std::byte* line = begin - reinterpret_cast<uintptr_t>(begin) % 64;
  for (; line < begin + size_bytes; line += 64) fetch_to_write(line);
}
inline void fetch_to_read(const std::byte* begin, size_t size_bytes) {
  const std::byte* line = begin - reinterpret_cast<uintptr_t>(begin) % 64;
  for (; line < begin + size_bytes; line += 64) fetch_to_read(line);
}

}  // namespace ranklint::runtime
