// Which files are tests, by their names and folders.
#pragma once

#include <string_view>

namespace ranklint {

bool is_test_file(std::string_view path);

}  // namespace ranklint
