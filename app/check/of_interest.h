// Whether a file that could matter says anything to us: most shell and YAML starts no processes, and most settings of a
// project state no versions.
#pragma once

#include <string_view>

namespace ranklint::app {

// Whether it is read as a whole in a moment, and asked for what it says: a launcher or a list of requirements.
bool may_say_nothing(std::string_view path);

// True for all other files.
bool is_of_interest(std::string_view path, std::string_view bytes);

}  // namespace ranklint::app
