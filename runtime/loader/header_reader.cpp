#include "runtime/loader/header_reader.h"

#include <limits>
#include <utility>

#include "runtime/loader/text.h"

namespace ranklint::runtime {

// An entry's own fields end at depth 3; one more leaves room for fields that we do not know.
static constexpr size_t kDeepest = 4;

bool HeaderReader::refuse(const std::string& what) {
  error_ = file_error(ErrorKind::Format, file_, what);
  return false;
}

bool HeaderReader::refuse_entry(const std::string& what) {
  error_ = tensor_error(ErrorKind::Format, file_, entry_.name, what);
  return false;
}

bool HeaderReader::value(const std::string& what) {
  if (in_unknown()) return true;
  if (depth_ == 0) return refuse("the header is " + what + ", not an object");
  if (in_metadata_) return refuse("`__metadata__` holds " + what + ", not only strings");
  if (depth_ == 1) return refuse_entry("its entry is " + what + ", not an object");
  return refuse_entry(what + " where the format has none");
}

// As in the reference, null is no metadata.
bool HeaderReader::null() { return (depth_ == 1 && in_metadata_) || value("null"); }

bool HeaderReader::open() {
  if (++depth_ <= kDeepest) return true;
  return refuse("the header is nested deeper than " + std::to_string(kDeepest));
}

bool HeaderReader::start_object(size_t) {
  if (depth_ >= 2 && !in_unknown()) return value("an object");
  return open();
}

bool HeaderReader::key(std::string& name) {
  if (name.find('\0') != name.npos) return refuse("a name in the header holds a NUL byte: " + in_quotes(name));
  if (depth_ == 1) return begin_entry(name);
  if (depth_ > 2) return true;  // inside of an unknown field
  if (!in_metadata_) return begin_field(name);
  metadata_key_ = std::move(name);
  return !header_.metadata.contains(metadata_key_) ||
         refuse("`__metadata__` has the key " + in_quotes(metadata_key_) + " twice");
}

bool HeaderReader::begin_entry(std::string& name) {
  entry_ = {};
  entry_.name = std::move(name);
  field_ = Field::None;
  had_type_ = had_shape_ = had_offsets_ = false;
  offsets_ = 0;
  unknown_fields_.clear();
  in_metadata_ = entry_.name == "__metadata__";
  if (in_metadata_) return !std::exchange(had_metadata_, true) || refuse("`__metadata__` is there twice");
  if (header_.tensors.size() < limits_.tensors) return true;
  return refuse("the header has more than " + std::to_string(limits_.tensors) + " tensors");
}

bool HeaderReader::begin_field(const std::string& name) {
  field_ = Field::Unknown;
  bool twice = false;
  if (name == "dtype") field_ = Field::Type, twice = std::exchange(had_type_, true);
  if (name == "shape") field_ = Field::Sizes, twice = std::exchange(had_shape_, true);
  if (name == "data_offsets") field_ = Field::Offsets, twice = std::exchange(had_offsets_, true);
  if (field_ == Field::Unknown) {
    if (unknown_fields_.size() == limits_.unknown_fields)
      return refuse_entry("has more than " + std::to_string(limits_.unknown_fields) +
                          " fields that are not the format's");
    twice = !unknown_fields_.insert(name).second;
  }
  return !twice || refuse_entry(in_quotes(name) + " is there twice");
}

bool HeaderReader::start_array(size_t) {
  const bool wanted = depth_ == 2 && !in_metadata_ && (field_ == Field::Sizes || field_ == Field::Offsets);
  if (!wanted && !in_unknown()) return value("an array");
  return open();
}

bool HeaderReader::end_array() {
  --depth_;
  if (depth_ != 2 || field_ != Field::Offsets || offsets_ == 2) return true;
  return refuse_entry("`data_offsets` has " + std::to_string(offsets_) + " numbers, not 2");
}

bool HeaderReader::end_object() {
  --depth_;
  return depth_ != 1 || in_metadata_ || end_entry();
}

bool HeaderReader::end_entry() {
  if (!had_type_) return refuse_entry("`dtype` is missing");
  if (!had_shape_) return refuse_entry("`shape` is missing");
  if (!had_offsets_) return refuse_entry("`data_offsets` is missing");
  header_.tensors.push_back(std::move(entry_));
  return true;
}

bool HeaderReader::string(std::string& text) {
  if (depth_ == 2 && in_metadata_) return add_metadata(text);
  if (depth_ == 2 && field_ == Field::Type) return set_type(text);
  return value("a string");
}

bool HeaderReader::add_metadata(std::string& text) {
  header_.metadata.emplace(std::move(metadata_key_), std::move(text));
  return true;
}

bool HeaderReader::set_type(const std::string& text) {
  const std::optional<StoredType> type = stored_type_of(text);
  if (!type) return refuse_entry("unknown dtype " + in_quotes(text));
  entry_.type = *type;
  return true;
}

bool HeaderReader::number_unsigned(uint64_t number) {
  if (depth_ == 3 && !in_metadata_ && field_ == Field::Sizes) return add_size(number);
  if (depth_ == 3 && !in_metadata_ && field_ == Field::Offsets) return add_offset(number);
  return value("a number");
}

bool HeaderReader::add_size(uint64_t number) {
  if (number > static_cast<uint64_t>(std::numeric_limits<int64_t>::max()))
    return refuse_entry("a size of " + std::to_string(number) + " is beyond 2^63 - 1");
  if (entry_.shape.size() == limits_.dimensions)
    return refuse_entry("has more than " + std::to_string(limits_.dimensions) + " dimensions");
  entry_.shape.push_back(static_cast<int64_t>(number));
  return true;
}

bool HeaderReader::add_offset(uint64_t number) {
  if (++offsets_ > 2) return refuse_entry("`data_offsets` has more than 2 numbers");
  (offsets_ == 1 ? entry_.begin : entry_.end) = number;
  return true;
}

bool HeaderReader::parse_error(size_t position, const std::string&, const nlohmann::detail::exception&) {
  return refuse("the header is not valid UTF-8 JSON at its byte " + std::to_string(position));
}

}  // namespace ranklint::runtime
