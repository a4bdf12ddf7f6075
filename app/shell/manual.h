// The manual page, as man(7) wants it.
#pragma once

#include <string>
#include <string_view>

#include "app/shell/description.h"

namespace ranklint::app {

std::string manual_page(const CommandDescription& program, std::string_view version);

}  // namespace ranklint::app
