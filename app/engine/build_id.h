// Which build a program or a library is.
#pragma once

#include <string>

namespace ranklint::app {

// What the linker has noted in an ELF file to tell it from every other (NT_GNU_BUILD_ID), as bytes; empty: there is no
// such file, or it has no note.
std::string build_id_of(const std::string& file);

}  // namespace ranklint::app
