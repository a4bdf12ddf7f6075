#include "runtime/loader/json_text.h"

#include <set>
#include <vector>

#include "runtime/loader/attempt.h"
#include "runtime/loader/input_file.h"
#include "runtime/loader/text.h"

namespace ranklint::runtime {

using nlohmann::json;

namespace {

// Sees the document before it is built, and stops at the first thing that is wrong.
class Check : public nlohmann::json_sax<json> {
 public:
  explicit Check(const JsonLimits& limits) : limits_(limits) {}
  const std::string& problem() const { return problem_; }

  bool null() override { return value(); }
  bool boolean(bool) override { return value(); }
  bool number_integer(int64_t) override { return value(); }
  bool number_unsigned(uint64_t) override { return value(); }
  bool number_float(double, const std::string&) override { return value(); }
  bool string(std::string&) override { return value(); }
  bool binary(nlohmann::json::binary_t&) override { return value(); }
  bool start_object(size_t) override { return open(); }
  bool end_object() override { return close(); }
  bool start_array(size_t) override { return open(); }
  bool end_array() override { return close(); }
  bool key(std::string& name) override {
    if (name.find('\0') != name.npos) return refuse("has a NUL byte in the key " + in_quotes(name));
    return keys_.back().insert(name).second || refuse("has the key " + in_quotes(name) + " twice");
  }
  bool parse_error(size_t position, const std::string&, const nlohmann::detail::exception&) override {
    return refuse("is not valid UTF-8 JSON at byte " + std::to_string(position));
  }

 private:
  bool refuse(std::string what) {
    problem_ = std::move(what);
    return false;
  }
  bool value() {
    return ++values_ <= limits_.values || refuse("has more than " + std::to_string(limits_.values) + " values");
  }
  bool open() {
    keys_.emplace_back();
    if (keys_.size() > limits_.depth) return refuse("is nested deeper than " + std::to_string(limits_.depth));
    return value();
  }
  bool close() {
    keys_.pop_back();
    return true;
  }

  const JsonLimits& limits_;
  size_t values_ = 0;
  std::vector<std::set<std::string>> keys_;  // of the open objects; an array has none
  std::string problem_;
};

}  // namespace

static Status check_size(uint64_t size_bytes, const std::string& file, const JsonLimits& limits) {
  if (size_bytes <= limits.bytes) return ok();
  return file_error(ErrorKind::Format, file,
                    "has " + std::to_string(size_bytes) + " bytes, more than " + std::to_string(limits.bytes));
}

static Status check(std::string_view text, const std::string& file, const JsonLimits& limits) {
  if (Status status = check_size(text.size(), file, limits); !status) return status;
  // The JSON parser would take it for the end of its input.
  if (text.find('\0') != text.npos) return file_error(ErrorKind::Format, file, "holds a NUL byte");
  Check check(limits);
  if (json::sax_parse(text.begin(), text.end(), &check)) return ok();
  return file_error(ErrorKind::Format, file, check.problem());
}

Result<json> parse_json(std::string_view text, const std::string& file, const JsonLimits& limits) {
  json document;
  const auto parse = [&]() -> Status {
    if (Status status = check(text, file, limits); !status) return status;
    document = json::parse(text.begin(), text.end());
    return ok();
  };
  if (Status status = attempt(parse); !status) return status.error();
  return document;
}

Result<json> read_json(const std::string& path, const JsonLimits& limits) {
  Result<InputFile> file = InputFile::open(path, {.mode = ReadMode::Pread});
  if (!file) return file.error();
  if (Status status = check_size(file->size_bytes(), path, limits); !status) return status.error();
  std::string text;
  if (Status status = attempt([&] { text.resize(file->size_bytes()); }); !status)
    return file_error(ErrorKind::Io, path, "out of memory");
  if (Status status = file->read(0, std::as_writable_bytes(std::span(text))); !status) return status.error();
  return parse_json(text, path, limits);
}

std::string json_string(std::string_view text) { return json(text).dump(); }

}  // namespace ranklint::runtime
