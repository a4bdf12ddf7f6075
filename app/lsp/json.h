// Reading what a client sent without trusting its shape: what is missing or of another type is empty.
#pragma once

#include <cstdint>
#include <nlohmann/json.hpp>
#include <optional>
#include <string>
#include <vector>

namespace ranklint::app::lsp {

using Json = nlohmann::json;

// The member, or null. `child(x, "a", "b")` is the b of the a of x.
const Json& child(const Json& object, const char* key);
template <typename... Keys>
const Json& child(const Json& object, const char* key, const char* next, Keys... keys) {
  return child(child(object, key), next, keys...);
}

std::string text_of(const Json& value, const std::string& otherwise = {});
int64_t number_of(const Json& value, int64_t otherwise = 0);
bool flag_of(const Json& value, bool otherwise = false);
std::vector<std::string> texts_of(const Json& value);
std::optional<std::string> optional_text(const Json& value);
// The elements of an array; none of anything else.
const Json::array_t& items(const Json& value);

// As bytes; what is not UTF-8 in it becomes U+FFFD.
std::string dumped(const Json& value);

}  // namespace ranklint::app::lsp
