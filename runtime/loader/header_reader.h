// The JSON of a header, event by event: no document is built, so that memory is bounded by what an entry may hold.
#pragma once

#include <cstdint>
#include <set>
#include <string>

#include <nlohmann/json.hpp>

#include "runtime/loader/header.h"

namespace ranklint::runtime {

class HeaderReader : public nlohmann::json_sax<nlohmann::json> {
 public:
  HeaderReader(const std::string& file, const HeaderLimits& limits) : file_(file), limits_(limits) {}

  Header& header() { return header_; }
  const Error& error() const { return error_; }  // of a parse that returned false

  bool null() override;
  bool boolean(bool) override { return value("a boolean"); }
  bool number_integer(int64_t) override { return value("a negative number"); }
  bool number_unsigned(uint64_t number) override;
  bool number_float(double, const std::string&) override { return value("a number that is not an integer"); }
  bool string(std::string& text) override;
  bool binary(nlohmann::json::binary_t&) override { return value("binary"); }
  bool start_object(size_t) override;
  bool key(std::string& name) override;
  bool end_object() override;
  bool start_array(size_t) override;
  bool end_array() override;
  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception&) override;

 private:
  enum class Field : uint8_t { None, Type, Sizes, Offsets, Unknown };

  bool value(const std::string& what);  // one that fits nowhere but in an unknown field
  bool open();
  bool begin_entry(std::string& name);
  bool begin_field(const std::string& name);
  bool add_metadata(std::string& text);
  bool set_type(const std::string& text);
  bool add_size(uint64_t number);
  bool add_offset(uint64_t number);
  bool end_entry();
  bool refuse(const std::string& what);
  bool refuse_entry(const std::string& what);
  bool in_unknown() const { return depth_ >= 2 && !in_metadata_ && field_ == Field::Unknown; }

  const std::string& file_;
  const HeaderLimits& limits_;
  Header header_;
  Error error_{ErrorKind::Format, {}};

  size_t depth_ = 0;  // open objects and arrays
  bool in_metadata_ = false;
  bool had_metadata_ = false;
  std::string metadata_key_;
  TensorInfo entry_;
  Field field_ = Field::None;
  bool had_type_ = false, had_shape_ = false, had_offsets_ = false;
  size_t offsets_ = 0;
  std::set<std::string> unknown_fields_;
};

}  // namespace ranklint::runtime
