// Paths as URIs (RFC 3986).
#pragma once

#include <string>
#include <string_view>

namespace ranklint::report {

// "train/große datei.py" -> "train/gro%C3%9Fe%20datei.py". A path that is relative stays so.
std::string uri_path(std::string_view path);

// "file:///home/me/train/" for an absolute path to a folder or, without the slash at its end, to a file.
std::string folder_uri(std::string_view absolute_path);
std::string file_uri(std::string_view absolute_path);

}  // namespace ranklint::report
