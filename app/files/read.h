// The bytes of a file, or why there are none. Never waits: what is no regular file is not opened.
#pragma once

#include <cstdint>
#include <string>

#include "analyzer/base/result.h"

namespace ranklint::app {

inline constexpr uint64_t kLargestSourceBytes = uint64_t{16} << 20;

// The error's message is the reason alone: "permission denied", "larger than 16 MiB".
Result<std::string> read_file(const std::string& path, uint64_t largest_bytes = kLargestSourceBytes);

}  // namespace ranklint::app
