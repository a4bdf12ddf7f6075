// Text that others hand over, of which nothing is known but its bytes.
#pragma once

#include <cstddef>
#include <string_view>

namespace ranklint::runtime {

// How many bytes the character at the front takes (The Unicode Standard, table 3-7); 0: it is none. Of a text that is
// not empty.
size_t utf8_length(std::string_view text);

bool is_utf8(std::string_view text);

}  // namespace ranklint::runtime
