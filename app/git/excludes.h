// The user's own file of patterns that git leaves out in every repository.
#pragma once

#include <functional>
#include <optional>
#include <string>

namespace ranklint::app {

// What core.excludesFile names where `folder` lies, else git's default below $XDG_CONFIG_HOME or $HOME; absolute,
// whether it is there or not. Empty: the folder is in no repository, or neither is set.
std::string git_excludes_file(const std::string& folder,
                              const std::function<std::optional<std::string>(const std::string&)>& environment);

}  // namespace ranklint::app
