#include "app/files/repository.h"

#include "app/files/paths.h"

namespace ranklint::app {

std::filesystem::file_type kind_on_disk(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::status(path, ignored).type();
}

static std::string repository_around(const std::string& folder, const KindOf& kind_of) {
  const auto exists = [&](const std::string& path) {
    const std::filesystem::file_type kind = kind_of(path);
    return kind != std::filesystem::file_type::not_found && kind != std::filesystem::file_type::none;
  };
  std::string at = folder;
  while (!at.empty() && !exists(at + "/.git")) at = parent_of(at);
  return at;
}

std::string repository_around(const std::string& folder) { return repository_around(folder, kind_on_disk); }

std::string top_of_project(const std::string& folder, const std::string& cwd, const KindOf& kind_of) {
  static constexpr const char* kMarks[]{"pyproject.toml", "setup.py", "setup.cfg", "ranklint.toml", ".ranklint.toml"};
  if (std::string repository = repository_around(folder, kind_of); !repository.empty()) return repository;
  for (std::string at = folder; !at.empty(); at = parent_of(at))
    for (const char* mark : kMarks)
      if (kind_of(at + "/" + mark) == std::filesystem::file_type::regular) return at;
  return lies_in(folder, cwd) ? cwd : "";
}

}  // namespace ranklint::app
