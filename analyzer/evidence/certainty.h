#pragma once

#include <cstdint>

namespace ranklint {

// Degrees of certainty, in the order of rules/finding.h.
enum class Certainty : uint8_t { Possible, Likely, High, Certain };

}  // namespace ranklint
