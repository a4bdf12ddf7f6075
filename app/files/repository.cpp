#include "app/files/repository.h"

#include <filesystem>

#include "app/files/paths.h"

namespace ranklint::app {

std::string repository_around(const std::string& folder) {
  std::error_code ignored;
  std::string at = folder;
  while (!at.empty() && !std::filesystem::exists(at + "/.git", ignored)) at = parent_of(at);
  return at;
}

std::string top_of_project(const std::string& folder, const std::string& cwd, const IsFile& is_file) {
  static constexpr const char* kMarks[]{"pyproject.toml", "setup.py", "setup.cfg", "ranklint.toml", ".ranklint.toml"};
  if (std::string repository = repository_around(folder); !repository.empty()) return repository;
  for (std::string at = folder; !at.empty(); at = parent_of(at))
    for (const char* mark : kMarks)
      if (is_file(at + "/" + mark)) return at;
  return lies_in(folder, cwd) ? cwd : "";
}

}  // namespace ranklint::app
