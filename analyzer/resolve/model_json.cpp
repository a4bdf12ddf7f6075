#include "analyzer/resolve/model_json.h"

#include <algorithm>

namespace ranklint::model_json {
namespace {

// Only finds where a text stops being JSON.
class SyntaxErrorFinder : public nlohmann::json_sax<Json> {
 public:
  size_t position = 0;  // bytes read when the parser gave up
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool start_object(size_t) override { return true; }
  bool key(string_t&) override { return true; }
  bool end_object() override { return true; }
  bool start_array(size_t) override { return true; }
  bool end_array() override { return true; }
  bool parse_error(size_t at, const std::string&, const nlohmann::detail::exception&) override {
    position = at;
    return false;
  }
};

// Walks a text that is known to be JSON, for the places that the parser's values no longer have.
class Walk {
 public:
  explicit Walk(std::string_view text) : text_(text) { skip_space(); }

  size_t position() const { return at_; }

  // From the start of an object or list to the start of a part of it; stays where there is none.
  bool enter(const std::string& part) {
    const size_t start = at_;
    const bool object = peek() == '{';
    if (!object && peek() != '[') return false;
    next();
    for (size_t i = 0; peek() != '}' && peek() != ']' && at_ < text_.size(); ++i) {
      std::string_view key;
      if (object) {
        const size_t from = at_;
        skip_value();
        key = text_.substr(from + 1, at_ - from - 2);
        skip_space();
        next();  // the colon
      }
      if (object ? key == part : std::to_string(i) == part) return true;
      skip_value();
      skip_space();
      if (peek() == ',') next();
    }
    at_ = start;
    return false;
  }

 private:
  char peek() const { return at_ < text_.size() ? text_[at_] : '\0'; }
  void skip_space() { at_ = std::min(text_.find_first_not_of(" \t\r\n", at_), text_.size()); }
  void next() {
    ++at_;
    skip_space();
  }

  void skip_string() {
    for (++at_; at_ < text_.size() && text_[at_] != '"'; ++at_)
      if (text_[at_] == '\\') ++at_;
    ++at_;
  }

  // Past a whole value, at any depth: brackets are counted, strings skipped.
  void skip_value() {
    size_t depth = 0;
    do {
      if (peek() == '"') {
        skip_string();
      } else {
        depth += peek() == '{' || peek() == '[';
        depth -= peek() == '}' || peek() == ']';
        ++at_;
        if (depth == 0 && text_[at_ - 1] != '}' && text_[at_ - 1] != ']')
          at_ = std::min(text_.find_first_of(",]} \t\r\n", at_), text_.size());
      }
      if (depth != 0) skip_space();
    } while (depth != 0 && at_ < text_.size());
  }

  std::string_view text_;
  size_t at_ = 0;
};

Error placed(Error error, std::string_view before) {
  const size_t line_start = before.rfind('\n');
  error.line = static_cast<uint32_t>(std::ranges::count(before, '\n') + 1);
  error.column = static_cast<uint32_t>(before.size() - (line_start == std::string_view::npos ? 0 : line_start + 1) + 1);
  return error;
}

}  // namespace

std::vector<std::string> JsonNode::path() const {
  if (parent == nullptr) return {};
  std::vector<std::string> parts = parent->path();
  parts.push_back(parent->value.is_object() ? std::string(key) : std::to_string(index));
  return parts;
}

std::string JsonNode::pointer() const {
  std::string text;
  for (const std::string& part : path()) text += "/" + part;
  return text;
}

std::string listed(std::span<const std::string_view> words) {
  std::string text;
  for (std::string_view word : words) text += (text.empty() ? "`" : ", `") + std::string(word) + "`";
  return text;
}

// Only flat values are written out: dump() recurses, and the file's nesting is not ours to trust.
std::string shown(const Json& value) {
  constexpr size_t kMaxShown = 40;
  const bool flat =
      !value.is_structured() ||
      (value.size() < kMaxShown && std::ranges::none_of(value, [](const Json& v) { return v.is_structured(); }));
  if (flat)
    if (std::string text = value.dump(-1, ' ', true, Json::error_handler_t::replace); text.size() <= kMaxShown)
      return text;
  return value.is_string() ? "a long string" : std::string(value.type_name()) + " of " + std::to_string(value.size());
}

Error syntax_error(std::string_view text, const std::string& path) {
  SyntaxErrorFinder finder;
  Json::sax_parse(text, &finder);
  return placed({.message = "not valid JSON", .path = path},
                text.substr(0, finder.position > 0 ? finder.position - 1 : 0));
}

Error with_position(Error error, std::string_view text, std::span<const std::string> path) {
  Walk walk(text);
  for (const std::string& part : path)
    if (!walk.enter(part)) break;
  return placed(std::move(error), text.substr(0, walk.position()));
}

bool Reading::fail(const JsonNode& place, const std::string& expected) {
  std::string where = place.parent == nullptr ? "/" : place.pointer();
  if (!name_.empty()) where += " (" + std::string(subject_) + " `" + name_ + "`)";
  error_.message = where + ": " + expected + ", found " + shown(place.value);
  failed_at_ = place.path();
  return false;
}

bool Reading::unknown_key(const JsonNode& place, std::span<const std::string_view> keys) {
  return fail(place, "unknown key; expected one of " + listed(keys));
}

bool Reading::object_with(const JsonNode& place, std::span<const std::string_view> keys) {
  if (!place.value.is_object()) return fail(place, "expected an object");
  for (const auto& item : place.value.items())
    if (std::ranges::find(keys, item.key()) == keys.end())
      return unknown_key(JsonNode{item.value(), &place, item.key()}, keys);
  return true;
}

bool Reading::read_text(const JsonNode& place, std::string& out) {
  if (!place.value.is_string() || place.value.get_ref<const std::string&>().empty())
    return fail(place, "expected a string that is not empty");
  out = place.value.get_ref<const std::string&>();
  return true;
}

bool Reading::read_flag(const JsonNode& place, bool& out) {
  if (!place.value.is_boolean()) return fail(place, "expected `true` or `false`");
  out = place.value.get<bool>();
  return true;
}

bool Reading::read_argument(const JsonNode& place, ArgumentSpec& out) {
  const auto position = [&](const Json& value) {
    if (!value.is_number_unsigned() || value.get<uint64_t>() > 255) return false;
    out.position = value.get<int>();
    return true;
  };
  const auto keyword = [&](const Json& value) {
    if (!value.is_string() || value.get_ref<const std::string&>().empty()) return false;
    out.keyword = value.get_ref<const std::string&>();
    return true;
  };
  const Json& value = place.value;
  const bool both = value.is_array() && value.size() == 2 && position(value[0]) && keyword(value[1]);
  return both || position(value) || keyword(value) ||
         fail(place, "expected an argument: [position, \"keyword\"], a position or a keyword");
}

}  // namespace ranklint::model_json
