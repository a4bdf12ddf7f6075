// Memory ahead of its use.
#pragma once

#include <cstddef>

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

// All lines of so many bytes.
inline void fetch_to_write(const void* address, size_t size_bytes) {
  for (size_t at = 0; at < size_bytes; at += 64) fetch_to_write(static_cast<const char*>(address) + at);
}
inline void fetch_to_read(const void* address, size_t size_bytes) {
  for (size_t at = 0; at < size_bytes; at += 64) fetch_to_read(static_cast<const char*>(address) + at);
}

}  // namespace ranklint::runtime
