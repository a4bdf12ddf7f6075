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

}  // namespace ranklint::app
