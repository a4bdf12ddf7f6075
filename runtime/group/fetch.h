// Memory ahead of its use.
#pragma once

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

}  // namespace ranklint::runtime
