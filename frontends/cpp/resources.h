// Where the headers lie that belong to Clang itself: stddef.h, stdarg.h, the intrinsics.
#pragma once

#include <string>

namespace ranklint::cpp {

// The folder above `include/`: beside the module where it was installed with its headers, else that of the Clang that
// it was built with.
const std::string& clang_resources();

}  // namespace ranklint::cpp
