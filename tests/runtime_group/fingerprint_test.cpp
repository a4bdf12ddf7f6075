#include "runtime/group/watch/fingerprint.h"

#include <catch2/catch.hpp>

#include <algorithm>
#include <vector>

namespace ranklint::runtime::test {

namespace {

using Bytes = std::vector<std::byte>;

uint64_t fingerprint_of(const Bytes& bytes) { return fingerprint(bytes.data(), bytes.size()); }

// Does the fingerprint tell that these bytes have been overwritten?
bool tells(const Bytes& before, size_t begin, size_t count) {
  Bytes after = before;
  std::fill_n(after.begin() + static_cast<ptrdiff_t>(begin), count, std::byte{1});
  return fingerprint_of(after) != fingerprint_of(before);
}

}  // namespace

TEST_CASE("a fingerprint of up to 256 KiB tells of every byte") {
  for (size_t size_bytes : {size_t{1}, size_t{63}, size_t{64}, size_t{65}, size_t{1000}, size_t{256} << 10}) {
    const Bytes bytes(size_bytes);
    for (size_t at = 0; at < size_bytes; at += size_bytes / 7 + 1) CHECK(tells(bytes, at, 1));
    CHECK(tells(bytes, size_bytes - 1, 1));
  }
}

TEST_CASE("a fingerprint of more tells of 2 KiB anywhere, and of the last bytes") {
  for (size_t size_bytes : {(size_t{256} << 10) + 1, (size_t{1} << 20) + 900}) {
    const Bytes bytes(size_bytes);
    for (size_t at = 0; at + 2048 <= size_bytes; at += 10007) CHECK(tells(bytes, at, 2048));
    CHECK(tells(bytes, size_bytes - 2048, 2048));
    CHECK(tells(bytes, size_bytes - 1, 1));
  }
}

TEST_CASE("a fingerprint tells of a head that is overwritten in every token") {
  for (size_t head_bytes : {64, 256, 512})
    for (size_t row_bytes : {2048, 4096, 16384}) {
      const Bytes before(row_bytes * 256);
      for (size_t head = 0; head < row_bytes; head += head_bytes) {
        Bytes after = before;
        for (size_t row = 0; row < after.size(); row += row_bytes)
          std::fill_n(after.begin() + static_cast<ptrdiff_t>(row + head), head_bytes, std::byte{1});
        if (fingerprint_of(after) != fingerprint_of(before)) continue;
        FAIL("heads of " << head_bytes << " bytes in rows of " << row_bytes << ", the one at " << head);
      }
    }
}

TEST_CASE("fingerprints of no bytes are equal") { CHECK(fingerprint(nullptr, 0) == fingerprint(nullptr, 0)); }

}  // namespace ranklint::runtime::test
