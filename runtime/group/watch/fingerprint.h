// A number that changes when bytes do: how a tensor's change under an asynchronous operation is noticed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ranklint::runtime {

// Of all bytes up to 256 KiB; beyond, of 64 bytes in every 1024, in each kilobyte others, and of the last 64, so that
// it costs little beside the operation. What gives 2 KiB in one piece other bytes is seen, and so, all but surely, is
// what does that to the same 64 bytes of every row of a matrix.
uint64_t fingerprint(const std::byte* data, size_t size_bytes);

}  // namespace ranklint::runtime
