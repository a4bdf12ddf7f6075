#include "runtime/loader/header.h"

#include <algorithm>
#include <tuple>

#include "runtime/base/utf8.h"
#include "runtime/loader/header_reader.h"
#include "runtime/loader/text.h"

namespace ranklint::runtime {

Result<uint64_t> header_size(std::span<const std::byte, kLengthBytes> length, uint64_t file_bytes,
                             const std::string& file, const HeaderLimits& limits) {
  uint64_t size = 0;
  for (size_t i = kLengthBytes; i-- > 0;) size = size << 8 | static_cast<uint64_t>(length[i]);
  const std::string claim = "its header claims " + std::to_string(size) + " bytes, ";
  if (size > limits.header_bytes)
    return file_error(ErrorKind::Format, file, claim + "more than " + std::to_string(limits.header_bytes));
  if (size > file_bytes - kLengthBytes)
    return file_error(ErrorKind::Format, file, claim + "the file has " + std::to_string(file_bytes));
  return size;
}

std::string flaw_of_name(std::string_view name) {
  if (name == "__metadata__") return "the format keeps this name for itself";
  if (name.find('\0') != name.npos) return "its name holds a NUL byte";
  if (!is_utf8(name)) return "its name is not UTF-8";
  return "";
}

std::optional<uint64_t> stored_size_bytes(StoredType type, const Shape& shape) {
  uint64_t bits = 1;
  for (const int64_t size : shape)
    if (__builtin_mul_overflow(bits, static_cast<uint64_t>(size), &bits)) return std::nullopt;
  if (__builtin_mul_overflow(bits, size_bits(type), &bits) || bits % 8 != 0) return std::nullopt;
  return bits / 8;
}

static std::string range_of(const TensorInfo& info) {
  return "bytes [" + std::to_string(info.begin) + ", " + std::to_string(info.end) + ")";
}

// `previous_end`: where the tensor before it ends.
static Status check_entry(const TensorInfo& info, uint64_t previous_end, uint64_t data_bytes, const std::string& file) {
  const auto refuse = [&](const std::string& what) { return tensor_error(ErrorKind::Format, file, info.name, what); };
  if (info.end < info.begin) return refuse(range_of(info) + " end before they begin");
  if (info.end > data_bytes)
    return refuse(range_of(info) + " reach beyond the file, which holds " + std::to_string(data_bytes) +
                  " bytes of data");
  if (info.begin < previous_end) return refuse(range_of(info) + " overlap those of another tensor");
  if (info.begin > previous_end) return refuse(range_of(info) + " leave a hole before them");
  const std::string shape = std::string(name_of(info.type)) + to_string(info.shape);
  const std::optional<uint64_t> expected = stored_size_bytes(info.type, info.shape);
  if (!expected) return refuse("the size of " + shape + " overflows or is no whole number of bytes");
  if (info.size_bytes() == *expected) return ok();
  return refuse(shape + " is " + std::to_string(*expected) + " bytes, its offsets say " +
                std::to_string(info.size_bytes()));
}

static Status check_layout(const Header& header, uint64_t data_bytes, const std::string& file) {
  uint64_t end = 0;
  for (const TensorInfo& info : header.tensors) {
    if (Status status = check_entry(info, end, data_bytes, file); !status) return status;
    end = info.end;
  }
  if (end == data_bytes) return ok();
  return file_error(
      ErrorKind::Format, file,
      "its tensors end at byte " + std::to_string(end) + " of the data, the file at " + std::to_string(data_bytes));
}

static const std::string* first_duplicate(std::vector<const std::string*>& names) {
  std::sort(names.begin(), names.end(), [](const auto* a, const auto* b) { return *a < *b; });
  const auto twice =
      std::adjacent_find(names.begin(), names.end(), [](const auto* a, const auto* b) { return *a == *b; });
  return twice == names.end() ? nullptr : *twice;
}

static Status check_names(const Header& header, const std::string& file) {
  std::vector<const std::string*> names;
  for (const TensorInfo& info : header.tensors) names.push_back(&info.name);
  if (const std::string* twice = first_duplicate(names))
    return tensor_error(ErrorKind::Format, file, *twice, "is in the header twice");
  return ok();
}

Result<Header> parse_header(std::string_view json, uint64_t data_bytes, const std::string& file,
                            const HeaderLimits& limits) {
  if (!json.starts_with('{')) return file_error(ErrorKind::Format, file, "the header does not begin with '{'");
  // The JSON parser would take it for the end of its input.
  if (json.find('\0') != json.npos) return file_error(ErrorKind::Format, file, "the header holds a NUL byte");
  HeaderReader reader(file, limits);
  if (!nlohmann::json::sax_parse(json.begin(), json.end(), &reader)) return reader.error();
  Header header = std::move(reader.header());
  std::sort(header.tensors.begin(), header.tensors.end(), [](const TensorInfo& a, const TensorInfo& b) {
    return std::tie(a.begin, a.end, a.name) < std::tie(b.begin, b.end, b.name);
  });
  if (Status status = check_names(header, file); !status) return status.error();
  if (Status status = check_layout(header, data_bytes, file); !status) return status.error();
  return header;
}

}  // namespace ranklint::runtime
