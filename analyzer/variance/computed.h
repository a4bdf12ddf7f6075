// What operations make of whole numbers, as Python computes.
#pragma once

#include <cstdint>
#include <optional>

#include "analyzer/ir/ir.h"

namespace ranklint {

// An operation on two numbers, or a comparison of them, as 0 or 1. Nothing: it makes no whole number, or one that does
// not fit.
std::optional<int64_t> computed(ir::Operator op, int64_t a, int64_t b);

}  // namespace ranklint
