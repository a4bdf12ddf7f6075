#include "runtime/base/memory.h"

#include <new>
#include <string>

#include "runtime/base/error.h"

#if defined(__linux__)
#include <sys/mman.h>
#endif

namespace ranklint::runtime {

namespace {

constexpr size_t kCacheLine = 64, kLargePage = size_t{2} << 20;

// Where the system has none, or leaves them to itself, nothing is lost.
void ask_for_large_pages([[maybe_unused]] std::byte* data, [[maybe_unused]] size_t size_bytes) {
#if defined(MADV_HUGEPAGE)
  ::madvise(data, size_bytes / kLargePage * kLargePage, MADV_HUGEPAGE);
#endif
}

}  // namespace

void FreeMemory::operator()(std::byte* data) const { ::operator delete(data, std::align_val_t{alignment}); }

Memory allocate_memory(size_t size_bytes) {
  const size_t alignment = size_bytes < kLargePage ? kCacheLine : kLargePage;
  Memory memory(static_cast<std::byte*>(::operator new(size_bytes, std::align_val_t{alignment}, std::nothrow)),
                {alignment});
  if (!memory) fail(ErrorKind::Io, "out of memory: the system has no " + std::to_string(size_bytes) + " bytes");
  if (alignment == kLargePage) ask_for_large_pages(memory.get(), size_bytes);
  return memory;
}

}  // namespace ranklint::runtime
