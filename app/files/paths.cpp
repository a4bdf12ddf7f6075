#include "app/files/paths.h"

#include <algorithm>
#include <cctype>

namespace ranklint::app {

bool is_python(std::string_view path) { return path.ends_with(".py") || path.ends_with(".pyw"); }

std::string reason_of(const std::error_code& error) {
  std::string reason = error.message();
  if (!reason.empty()) reason[0] = static_cast<char>(std::tolower(static_cast<unsigned char>(reason[0])));
  return reason;
}

std::string absolute_path(std::string_view path, std::string_view cwd) {
  std::string result;
  const auto append = [&result](std::string_view part) {
    while (!part.empty()) {
      const size_t end = std::min(part.find('/'), part.size());
      const std::string_view component = part.substr(0, end);
      part.remove_prefix(std::min(end + 1, part.size()));
      if (component.empty() || component == ".") continue;
      if (component == "..") {
        result.resize(parent_of(result).size());
      } else {
        result.append("/").append(component);
      }
    }
  };
  if (!path.starts_with('/')) append(cwd);
  append(path);
  return result;
}

std::string shown_path(std::string_view absolute, std::string_view cwd) {
  if (absolute == cwd) return ".";
  if (!cwd.empty() && lies_in(absolute, cwd)) return std::string(absolute.substr(cwd.size() + 1));
  return absolute.empty() ? "/" : std::string(absolute);
}

std::string_view parent_of(std::string_view absolute) {
  const size_t slash = absolute.rfind('/');
  return slash == std::string_view::npos ? std::string_view() : absolute.substr(0, slash);
}

std::string_view name_in(std::string_view path) { return path.substr(path.rfind('/') + 1); }

bool lies_in(std::string_view path, std::string_view folder) {
  return path.starts_with(folder) && (path.size() == folder.size() || path[folder.size()] == '/');
}

}  // namespace ranklint::app
