// Configurations that say how many processes there are: of accelerate, verl and their like.
#pragma once

#include <string_view>

#include "frontends/launchers/launch.h"

namespace ranklint::launchers {

// One for each document that names a number of processes. Empty for what is not YAML.
std::vector<Launch> launches_of_yaml(std::string_view text);

}  // namespace ranklint::launchers
