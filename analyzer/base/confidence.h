#pragma once

#include <cstdint>

namespace ranklint {

// How sure the analysis is, the lowest of a chain. Certain: every step follows from the code and exact models. High: a
// step rests on types inferred across the project. Likely: on names or conventions. Possible: a link could be otherwise
// as well.
enum class Confidence : uint8_t { Possible, Likely, High, Certain };

}  // namespace ranklint
