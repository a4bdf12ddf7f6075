#include "app/json/read_json.h"

#include <algorithm>

namespace ranklint::app {

namespace {

using Json = nlohmann::json;

// Finds the byte where the text stops being JSON; the value itself is built by a second reading, which then cannot
// fail.
class Checker : public nlohmann::json_sax<Json> {
 public:
  bool null() override { return true; }
  bool boolean(bool) override { return true; }
  bool number_integer(number_integer_t) override { return true; }
  bool number_unsigned(number_unsigned_t) override { return true; }
  bool number_float(number_float_t, const string_t&) override { return true; }
  bool string(string_t&) override { return true; }
  bool binary(binary_t&) override { return true; }
  bool key(string_t&) override { return true; }
  bool start_object(size_t) override { return enter(); }
  bool end_object() override { return leave(); }
  bool start_array(size_t) override { return enter(); }
  bool end_array() override { return leave(); }
  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception&) override {
    at = position;
    return false;
  }

  size_t at = 0;
  bool too_deep = false;

 private:
  bool enter() { return !(too_deep = ++depth_ > kDeepestJson); }
  bool leave() { return --depth_, true; }
  int depth_ = 0;
};

}  // namespace

Result<Json> read_json(std::string_view text, const std::string& shown) {
  Checker checker;
  if (Json::sax_parse(text, &checker)) return Json::parse(text, nullptr, /*allow_exceptions=*/false);
  if (checker.too_deep) return Error{.message = "the JSON is nested too deeply", .path = shown};
  const size_t at = std::min(checker.at == 0 ? 0 : checker.at - 1, text.size());  // the reader counts from 1
  const std::string_view before = text.substr(0, at);
  const auto line = static_cast<uint32_t>(1 + std::count(before.begin(), before.end(), '\n'));
  const auto column = static_cast<uint32_t>(at - (before.rfind('\n') + 1) + 1);
  const bool ended = at >= text.size();
  return Error{.message = ended ? "the JSON ends too early; the file is cut short" : "this is not JSON",
               .path = shown,
               .line = line,
               .column = column};
}

std::string json_text(const nlohmann::ordered_json& value, int indent) {
  return value.dump(indent, ' ', false, nlohmann::ordered_json::error_handler_t::replace) + "\n";
}

}  // namespace ranklint::app
