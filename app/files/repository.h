// Where a repository begins.
#pragma once

#include <filesystem>
#include <functional>
#include <string>

namespace ranklint::app {

// The nearest folder from this one (absolute) upwards that holds `.git`; empty: there is none.
std::string repository_around(const std::string& folder);

// What lies at a path, links followed.
std::filesystem::file_type kind_on_disk(const std::string& path);

// As kind_on_disk; a caller that asks about many folders caches the answers.
using KindOf = std::function<std::filesystem::file_type(const std::string& path)>;

// The top of the project that a folder lies in, both absolute: that of its repository, else the nearest folder upwards
// with a file that marks a Python project, else `cwd` where the folder lies in that. Empty: it is not known.
std::string top_of_project(const std::string& folder, const std::string& cwd, const KindOf& kind_of);

}  // namespace ranklint::app
