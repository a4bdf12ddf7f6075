// Writes JSON, key after key. Only writes: the caller balances what it begins.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>

namespace ranklint::runtime {

class JsonText {
 public:
  JsonText& begin_object() { return open('{'); }
  JsonText& end_object() { return close('}'); }
  JsonText& begin_array() { return open('['); }
  JsonText& end_array() { return close(']'); }
  JsonText& key(std::string_view name);
  JsonText& text(std::string_view value);  // bytes that are no UTF-8 become U+FFFD
  template <typename Integer>
  JsonText& number(Integer value) {
    return raw(std::to_string(value));
  }
  JsonText& decimal(double value);  // three digits after the point
  JsonText& boolean(bool value) { return raw(value ? "true" : "false"); }
  JsonText& null() { return raw("null"); }

  std::string take() { return std::move(out_); }

 private:
  JsonText& open(char bracket);
  JsonText& close(char bracket);
  JsonText& raw(std::string_view value);
  void separate();
  void quote(std::string_view value);

  std::string out_;
  bool first_ = true;  // of its array or object, or right after a key
};

}  // namespace ranklint::runtime
