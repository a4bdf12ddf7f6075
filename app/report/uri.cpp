#include "app/report/uri.h"

namespace ranklint::report {

static bool stands_for_itself(char c) {
  const bool letter = (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
  return letter || (c >= '0' && c <= '9') || std::string_view("-._~/").find(c) != std::string_view::npos;
}

std::string uri_path(std::string_view path) {
  constexpr std::string_view kHex = "0123456789ABCDEF";
  while (path.starts_with("./")) path.remove_prefix(2);
  std::string out;
  for (const char c : path) {
    const auto byte = static_cast<unsigned char>(c);
    if (stands_for_itself(c))
      out += c;
    else
      out += {'%', kHex[byte >> 4], kHex[byte & 15]};
  }
  return out;
}

std::string file_uri(std::string_view absolute_path) { return "file://" + uri_path(absolute_path); }

std::string folder_uri(std::string_view absolute_path) {
  std::string uri = file_uri(absolute_path);
  if (!uri.ends_with('/')) uri += '/';
  return uri;
}

}  // namespace ranklint::report
