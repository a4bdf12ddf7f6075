// A number that changes when bytes do: how a tensor's change under an asynchronous operation is noticed.
#pragma once

#include <cstddef>
#include <cstdint>

namespace ranklint::runtime {

// Of all bytes up to 1 MiB; beyond, of 64 bytes in every 256, so that it costs little beside the operation.
uint64_t fingerprint(const std::byte* data, size_t size_bytes);

}  // namespace ranklint::runtime
