// Flags: parameters that are asked whether they hold, and what `not`, `and` and `or` make of such. Any caller may hand
// over either value of them.
#pragma once

#include "analyzer/summary/summary.h"

namespace ranklint {

bool is_flag(const ValueStore& values, ValueId term);

// Whether the function decides by a flag that its parameter is part of, or hands such a one on.
bool tests_flag(const ValueStore& values, const Summary& s, uint32_t parameter);

}  // namespace ranklint
