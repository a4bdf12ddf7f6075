// How C, C++ and CUDA programs work where languages differ.
#pragma once

#include <array>
#include <string_view>

#include "analyzer/ir/ir.h"

namespace ranklint {

inline constexpr ir::Conventions kCppConventions{ir::Convention::NotImported,    ir::Convention::OneNamespace,
                                                 ir::Convention::FillsArguments, ir::Convention::RaisesInCallees,
                                                 ir::Convention::ReturnsErrors,  ir::Convention::ExitEndsJob,
                                                 ir::Convention::RunsInWorlds};

// The variables of the environment that Clang reads where it looks for headers, or expands a macro.
inline constexpr std::array<std::string_view, 6> kCppVariables{
    "CLANG_NO_DEFAULT_CONFIG", "COMPILER_PATH", "CPATH", "CPLUS_INCLUDE_PATH", "C_INCLUDE_PATH", "SOURCE_DATE_EPOCH"};

}  // namespace ranklint
