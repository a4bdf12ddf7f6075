// Conditions that test which ranks are in a group.
#pragma once

#include "analyzer/variance/values.h"

namespace ranklint {

// In `x in ranks and y == z` the first operand tests; under a comparison nothing is a test of its own.
bool tests_membership(const ValueStore& values, ValueId condition);

}  // namespace ranklint
