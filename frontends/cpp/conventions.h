// How C, C++ and CUDA programs work where languages differ.
#pragma once

#include "analyzer/ir/ir.h"

namespace ranklint {

inline constexpr ir::Conventions kCppConventions{ir::Convention::NotImported,    ir::Convention::OneNamespace,
                                                 ir::Convention::FillsArguments, ir::Convention::RaisesInCallees,
                                                 ir::Convention::ReturnsErrors,  ir::Convention::ExitEndsJob,
                                                 ir::Convention::RunsInWorlds};

}  // namespace ranklint
