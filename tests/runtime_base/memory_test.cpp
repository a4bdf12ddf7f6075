#include "runtime/base/memory.h"

#include <catch2/catch.hpp>

#include <cstdint>
#include <cstring>

namespace ranklint::runtime {

static uintptr_t address_of(const Memory& memory) { return reinterpret_cast<uintptr_t>(memory.get()); }

TEST_CASE("memory begins on a cache line, and on a large page where it fills one") {
  constexpr size_t kLargePage = size_t{2} << 20;
  for (size_t size_bytes : {size_t{0}, size_t{1}, size_t{4097}, kLargePage - 1})
    CHECK(address_of(allocate_memory(size_bytes)) % 64 == 0);
  for (size_t size_bytes : {kLargePage, kLargePage + 1, 3 * kLargePage}) {
    const Memory memory = allocate_memory(size_bytes);
    CHECK(address_of(memory) % kLargePage == 0);
    std::memset(memory.get(), 7, size_bytes);
    CHECK(memory.get()[size_bytes - 1] == std::byte{7});
  }
}

}  // namespace ranklint::runtime
