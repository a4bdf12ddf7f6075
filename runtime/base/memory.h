// Memory that elements lie in.
#pragma once

#include <cstddef>
#include <memory>

namespace ranklint::runtime {

struct FreeMemory {
  size_t alignment = 0;
  void operator()(std::byte* data) const;
};

using Memory = std::unique_ptr<std::byte, FreeMemory>;

// Uninitialised, on the boundary of a cache line at least. A block that fills a large page (2 MiB) begins on one, and
// the system is asked for such pages: rows of a head lie kilobytes apart, and with pages of 4 KiB each is on another
// one, which a processor has to look up first. RankError{Io} where the system has not as much.
Memory allocate_memory(size_t size_bytes);

}  // namespace ranklint::runtime
