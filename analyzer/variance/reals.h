// Numbers with a point, as Python and C++ write them.
#pragma once

#include <optional>
#include <string>
#include <string_view>

namespace ranklint {

// What a literal or the text given to `float()` says: 1_000.5, 1e-5, .5, 1.0f, "inf". Neither NaN nor an imaginary
// number.
std::optional<double> read_real(std::string_view written);

// As Python writes it: 0.5, 10.0, 1e-05, inf.
std::string write_real(double number);

}  // namespace ranklint
