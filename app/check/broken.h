// What is said of bugs of ours that a run met, and went on.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "analyzer/project/project.h"

namespace ranklint::app {

// "this is a bug in ranklint: please report ..."
extern const std::string_view kWhatToSend;

// "m.py:3: `f` was not judged: comparison of ranks: analyzer/base/ids.h:33: an id of another vector (contains(id))"
std::string described(const BrokenPiece& piece);

// One line for each, and what to send us. Empty where nothing broke.
std::string broken_text(const std::vector<BrokenPiece>& broken);

}  // namespace ranklint::app
