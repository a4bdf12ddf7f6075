// The JSON schema of the configuration, as it lies beside this file. What it says of a key, `ranklint config explain`
// says.
#pragma once

#include <string_view>

namespace ranklint::app {

std::string_view config_schema();

}  // namespace ranklint::app
