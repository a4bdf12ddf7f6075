// LLVM asks the C library for arc4random(), which came with glibc 2.36. With one of our own, a package runs wherever
// glibc 2.35 does.
#include <sys/random.h>

#include <cstdint>

extern "C" __attribute__((visibility("hidden"))) uint32_t arc4random() {
  uint32_t value = 0;
  while (getrandom(&value, sizeof value, 0) != sizeof value) {
  }
  return value;
}
