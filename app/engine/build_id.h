// Which build a program or a library is.
#pragma once

#include <string>

namespace ranklint::app {

// The linker's unique id in an ELF file (NT_GNU_BUILD_ID), as bytes; empty: there is no such file, or it has no id.
std::string build_id_of(const std::string& file);

}  // namespace ranklint::app
