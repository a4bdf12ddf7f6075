// Dotted names.
#pragma once

#include <string_view>

namespace ranklint {

// "c" of "a.b.c".
inline std::string_view last_part(std::string_view dotted) {
  const size_t dot = dotted.rfind('.');
  return dot == std::string_view::npos ? dotted : dotted.substr(dot + 1);
}

// "walk" for "walk#tree.c": the name of a function that only one file can see is followed by that file.
inline std::string_view without_file(std::string_view name) { return name.substr(0, name.find('#')); }

}  // namespace ranklint
