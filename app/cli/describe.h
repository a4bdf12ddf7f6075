// The parser's commands as data; between arguments.cpp and this, the only two files that include CLI11.
#pragma once

#include "app/shell/description.h"

namespace CLI {
class App;
}

namespace ranklint::app {

CommandDescription describe(const CLI::App& app);

}  // namespace ranklint::app
