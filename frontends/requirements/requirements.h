// What a project says of the versions of the libraries that it uses, as IR: a call for each requirement.
//
//     ranklint.packages.require("torch>=1.13,<2")
//
// Read by analyzer/program/library_versions.h. A setup.py says it in Python. No bytes make it fail: what cannot be
// read requires nothing.
#pragma once

#include <string>
#include <string_view>

#include "analyzer/ir/ir.h"

namespace ranklint {

// By the name: requirements*.txt and *requirements.txt, constraints*.txt, pyproject.toml, setup.cfg, environment*.yml,
// conda*.yml, Dockerfile and Dockerfile.*.
bool may_require(std::string_view path);

// Whether it says anything of a version.
bool requires_versions(std::string_view path, std::string_view bytes);

ir::Module lower_requirements(const std::string& path, std::string_view bytes);

}  // namespace ranklint
