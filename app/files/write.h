// Puts a file in place of another, whole or not at all.
#pragma once

#include <optional>
#include <string>
#include <string_view>

#include "analyzer/base/result.h"

namespace ranklint::app {

// Written beside it first and then moved there, so that a file is never half of the old and half of the new. A link
// stays a link, and a file keeps its permissions. `shown` is its name in the error.
std::optional<Error> replace_file(const std::string& absolute, const std::string& shown, std::string_view bytes);

// The same for a file; what is something else (a device, a pipe) is opened and written to.
std::optional<Error> write_output(const std::string& absolute, const std::string& shown, std::string_view bytes);

}  // namespace ranklint::app
