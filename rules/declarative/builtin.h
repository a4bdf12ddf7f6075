// Rules of our own packs that are written in JSON: rules/<pack>/<id>.json.
#pragma once

#include <string_view>

#include "rules/rule.h"

namespace ranklint {

// By id, which is the file's name. That there is none, or that it does not read, is our bug and stops the program.
Rule declared_rule(std::string_view id);

}  // namespace ranklint
