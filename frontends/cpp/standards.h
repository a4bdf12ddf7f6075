// Which standard of C++ a file is read by, where its command does not say.
#pragma once

#include <string_view>
#include <vector>

namespace ranklint::cpp {

// Flags (`-std=gnu++17`), to be tried in turn until one reads the file without errors. Reading by a later standard is
// not free: the standard library's headers grow by a third from C++17 to C++23.
std::vector<std::string_view> standards_of(std::string_view bytes, bool is_cuda);

}  // namespace ranklint::cpp
