// Paths as text: absolute and without `.` and `..`, or as they are shown.
#pragma once

#include <string>
#include <string_view>
#include <system_error>

namespace ranklint::app {

// Absolute, without `.`, `..` and a trailing '/'; symbolic links are not resolved. The root is "".
std::string absolute_path(std::string_view path, std::string_view cwd);

// Relative to `cwd` when it lies inside, else absolute.
std::string shown_path(std::string_view absolute, std::string_view cwd);

// What stands before the last '/': "" for a path in the root.
std::string_view parent_of(std::string_view absolute);
std::string_view name_in(std::string_view path);

bool is_python(std::string_view path);

// Why the system refused, as it stands inside of a sentence: "permission denied".
std::string reason_of(const std::error_code& error);

// Whether `path` is `folder` or lies inside it.
bool lies_in(std::string_view path, std::string_view folder);

}  // namespace ranklint::app
