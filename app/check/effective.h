// Each key of the configuration with its value in a run, and where that comes from: a flag, a line of the file, a
// default.
#pragma once

#include <nlohmann/json.hpp>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "app/check/settings.h"

namespace ranklint::app {

struct EffectiveValue {
  std::string key;
  std::optional<nlohmann::ordered_json> value;  // nothing: not set, and without a default to show
  std::string source;  // "default", "ranklint.toml:3:1", "--select", "ranklint.toml:3:1, --ignore"
};

// The flag that says the same as a key; empty: none.
std::string_view flag_of(std::string_view key);

// In the order of the schema; paths as they are shown from here.
Result<std::vector<EffectiveValue>> effective_values(const CheckOptions& options, const Io& io,
                                                     std::span<const Rule> rules);

}  // namespace ranklint::app
