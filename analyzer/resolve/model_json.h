// What reading JSON takes that users write: a value with the way to it, and errors that say where and what was found.
// Included by the readers of models and of declarative rules alone.
#pragma once

#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "analyzer/base/result.h"

namespace ranklint::model_json {

using Json = nlohmann::json;

// A value and the way to it. The way is spelled out only for an error: "/models/3/group/otherwise".
struct Place {
  const Json& value;
  const Place* parent = nullptr;
  std::string_view key = {};  // in an object, else `index` in a list
  size_t index = 0;

  Place at(std::string_view name) const { return {value[std::string(name)], this, name}; }
  Place at(size_t i) const { return {value[i], this, {}, i}; }
  std::string pointer() const;
  std::vector<std::string> path() const;  // its parts
};

// "`a`, `b`"
std::string listed(std::span<const std::string_view> words);

// What was found, short enough for a message.
std::string shown(const Json& value);

// The error of a text that is no JSON, with the place where it stops to be.
Error syntax_error(std::string_view text, const std::string& path);

// The error with line and column of the value that `path` leads to in a text that is JSON.
Error with_position(Error error, std::string_view text, std::span<const std::string> path);

}  // namespace ranklint::model_json
