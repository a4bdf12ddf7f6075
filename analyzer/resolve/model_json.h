// What reading JSON takes that users write: a value with the way to it, errors that say where and what was found, and
// the kinds of values that models and declarative rules have in common. Included by the readers of these two alone.
#pragma once

#include <algorithm>
#include <array>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include "analyzer/base/result.h"
#include "analyzer/base/word.h"
#include "analyzer/resolve/models.h"

namespace ranklint::model_json {

using Json = nlohmann::json;

// A value and the way to it. The way is spelled out only for an error: "/models/3/group/otherwise".
struct JsonNode {
  const Json& value;
  const JsonNode* parent = nullptr;
  std::string_view key = {};  // in an object, else `index` in a list
  size_t index = 0;

  JsonNode at(std::string_view name) const { return {value[std::string(name)], this, name}; }
  JsonNode at(size_t i) const { return {value[i], this, {}, i}; }
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

// Takes values apart. Each function says whether it could; the first failure is kept.
class Reading {
 public:
  // `subject`: what the file lists, as errors call it: "model".
  Reading(std::string_view subject, const std::string& path) : subject_(subject) { error_.path = path; }

  void begin(const std::string& name) { name_ = name; }  // of the one that is read from here on, for errors
  const Error& error() const { return error_; }
  const std::vector<std::string>& failed_at() const { return failed_at_; }  // the way there

  bool fail(const JsonNode& place, const std::string& expected);  // false
  bool object_with(const JsonNode& place, std::span<const std::string_view> keys);
  bool unknown_key(const JsonNode& place, std::span<const std::string_view> keys);  // false
  bool read_text(const JsonNode& place, std::string& out);
  bool read_flag(const JsonNode& place, bool& out);
  // [2, "group"]: position and keyword; 2: position only; "group": keyword only.
  bool read_argument(const JsonNode& place, ArgumentSpec& out);

  template <typename T, size_t N>
  bool read_enum(const JsonNode& place, const std::array<Word<T>, N>& words, T& out) {
    const std::string* const text = place.value.get_ptr<const std::string*>();  // null: no string
    const auto word = std::ranges::find_if(words, [&](const Word<T>& w) { return text && *text == w.text; });
    if (word != words.end()) {
      out = word->meaning;
      return true;
    }
    return fail(place, "expected one of " + listed(texts_of(words)));
  }

  // What the place's own key stands for.
  template <typename T, size_t N>
  bool read_key(const JsonNode& place, const std::array<Word<T>, N>& words, T& out) {
    const auto word = std::ranges::find(words, place.key, &Word<T>::text);
    if (word == words.end()) return unknown_key(place, texts_of(words));
    out = word->meaning;
    return true;
  }

 private:
  std::string_view subject_;
  std::string name_;
  Error error_;
  std::vector<std::string> failed_at_;
};

}  // namespace ranklint::model_json
