#include "app/lsp/json.h"

namespace ranklint::app::lsp {

const Json& child(const Json& object, const char* key) {
  static const Json kNull;
  if (!object.is_object()) return kNull;
  const auto found = object.find(key);
  return found == object.end() ? kNull : *found;
}

std::string text_of(const Json& value, const std::string& otherwise) {
  return value.is_string() ? value.get_ref<const std::string&>() : otherwise;
}

int64_t number_of(const Json& value, int64_t otherwise) {
  if (value.is_number_integer()) return value.get<int64_t>();
  // Some clients send whole numbers with a point; one that fits nowhere is none.
  if (value.is_number_float() && value.get<double>() >= -1e15 && value.get<double>() <= 1e15)
    return static_cast<int64_t>(value.get<double>());
  return otherwise;
}

bool flag_of(const Json& value, bool otherwise) { return value.is_boolean() ? value.get<bool>() : otherwise; }

std::vector<std::string> texts_of(const Json& value) {
  std::vector<std::string> texts;
  for (const Json& item : items(value))
    if (item.is_string()) texts.push_back(item.get<std::string>());
  return texts;
}

std::optional<std::string> optional_text(const Json& value) {
  if (!value.is_string() || value.get_ref<const std::string&>().empty()) return std::nullopt;
  return value.get<std::string>();
}

const Json::array_t& items(const Json& value) {
  static const Json::array_t kNone;
  return value.is_array() ? value.get_ref<const Json::array_t&>() : kNone;
}

std::string dumped(const Json& value) { return value.dump(-1, ' ', false, Json::error_handler_t::replace); }

}  // namespace ranklint::app::lsp
