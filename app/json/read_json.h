// Text to JSON, or where it stops being JSON.
#pragma once

#include <nlohmann/json.hpp>
#include <string>
#include <string_view>

#include "analyzer/base/result.h"

namespace ranklint::app {

// Deeper nesting is an error, so that what walks the value may recurse.
inline constexpr int kDeepestJson = 200;

// `shown` is the file's name in errors.
Result<nlohmann::json> read_json(std::string_view text, const std::string& shown);

// Bytes in a file that are not UTF-8 become U+FFFD.
std::string json_text(const nlohmann::ordered_json& value, int indent = 2);

}  // namespace ranklint::app
