// The frontends, each for its languages.
#pragma once

#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/project/project.h"
#include "app/check/engine.h"

namespace ranklint::app {

enum class Language { Python, Cpp, Launcher, Requirements, Other };

// By the file's name: .py, .pyw; .c, .cc, .cpp, .cxx, .cu and their like; .sh, .yaml and their like; what states
// requirements (frontends/requirements/requirements.h).
Language language_of(std::string_view path);

// The module that reads C and C++: its path; empty: there is none.
const std::string& module_of_program();

// The language of a file of this name, where this build cannot read it (Engine::missing_frontend).
std::optional<MissingFrontend> missing_frontend(const std::string& path, bool load);

// The frontend of a run. Fails where the user named a folder of compile commands that holds none.
Result<Frontend> frontend_of(const Reading& reading);

// Whether the file's own text may communicate (Engine::communicates): any file but those of C and C++ that name nothing
// of a library.
bool mentions_communication(const std::string& path, std::string_view bytes);

// The same with inferred flags. Clang is loaded when the first C++ file comes; where that fails, the file's module is
// empty and a diagnostic says why.
LoweredSource lower_source(const std::string& path, std::string_view bytes);

}  // namespace ranklint::app
