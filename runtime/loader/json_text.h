// JSON documents that are small enough to hold: index files and the marks of our own checkpoints. Untrusted, so a key
// that is there twice, a NUL byte and nesting deeper than needed are refused, and nothing throws.
#pragma once

#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

#include "runtime/base/error.h"

namespace ranklint::runtime {

struct JsonLimits {
  size_t bytes = 100'000'000;
  size_t values = 10'000'000;
  size_t depth = 8;
};

Result<nlohmann::json> parse_json(std::string_view text, const std::string& file, const JsonLimits& limits = {});
Result<nlohmann::json> read_json(const std::string& path, const JsonLimits& limits = {});

// With its quotation marks. Throws (nlohmann's type_error) when the text is not UTF-8: call it inside of `attempt`.
std::string json_string(std::string_view text);

}  // namespace ranklint::runtime
