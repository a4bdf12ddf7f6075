// Names out of files, as error messages show them, and the words that all messages share.
#pragma once

#include <string>
#include <string_view>

#include "runtime/base/error.h"

namespace ranklint::runtime {

// `name` in back quotes: control characters as \xNN, and no longer than a line of a log should be.
std::string in_quotes(std::string_view name);

// Of a path that the system would take for another one: empty, or cut short at a NUL byte.
Status check_path(const std::string& path);

// "FILE: tensor `NAME`: WHAT".
Error tensor_error(ErrorKind kind, const std::string& file, std::string_view tensor, const std::string& what);
Error file_error(ErrorKind kind, const std::string& file, const std::string& what);
// "FILE: can not WHAT: No such file or directory"; `code` is an errno.
Error system_error(const std::string& file, const std::string& what, int code);

}  // namespace ranklint::runtime
