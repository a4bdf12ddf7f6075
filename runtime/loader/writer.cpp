#include "runtime/loader/writer.h"

#include <algorithm>
#include <numeric>
#include <tuple>

#include "runtime/base/utf8.h"
#include "runtime/loader/attempt.h"
#include "runtime/loader/json_text.h"
#include "runtime/loader/output_file.h"
#include "runtime/loader/text.h"

namespace ranklint::runtime {

NamedBytes named_bytes(std::string name, const Tensor& tensor) {
  return {std::move(name), stored_type_of(tensor.dtype()), tensor.shape(), {tensor.data(), tensor.size_bytes()}};
}

static std::vector<size_t> writing_order(std::span<const NamedBytes> tensors) {
  std::vector<size_t> order(tensors.size());
  std::iota(order.begin(), order.end(), size_t{0});
  std::sort(order.begin(), order.end(), [&](size_t a, size_t b) {
    return std::tie(tensors[b].type, tensors[a].name) < std::tie(tensors[a].type, tensors[b].name);
  });
  return order;
}

static std::string entry_of(const NamedBytes& tensor, uint64_t begin) {
  std::string text = json_string(tensor.name) + ":{\"dtype\":\"" + std::string(name_of(tensor.type)) + "\",\"shape\":[";
  for (size_t d = 0; d < tensor.shape.size(); ++d) text += (d ? "," : "") + std::to_string(tensor.shape[d]);
  return text + "],\"data_offsets\":[" + std::to_string(begin) + "," + std::to_string(begin + tensor.bytes.size()) +
         "]}";
}

static std::string metadata_of(const Metadata& metadata) {
  std::string text = "\"__metadata__\":{";
  for (const auto& [key, value] : metadata)
    text += (text.back() == '{' ? "" : ",") + json_string(key) + ":" + json_string(value);
  return text + "}";
}

static Status check(const Metadata& metadata, const std::string& file) {
  for (const auto& [key, value] : metadata)
    if (!is_utf8(key) || !is_utf8(value))
      return file_error(ErrorKind::InvalidArgument, file,
                        "`__metadata__`: the key or the value of " + in_quotes(key) + " is not UTF-8");
  return ok();
}

static std::string header_text(std::span<const NamedBytes> tensors, const std::vector<size_t>& order,
                               const Metadata& metadata) {
  std::string json = "{" + (metadata.empty() ? std::string() : metadata_of(metadata));
  uint64_t offset = 0;
  for (const size_t i : order) {
    json += (json.size() == 1 ? "" : ",") + entry_of(tensors[i], offset);
    offset += tensors[i].bytes.size();
  }
  json += "}";
  json.append((8 - json.size() % 8) % 8, ' ');
  return json;
}

static std::string little_endian(uint64_t number) {
  std::string bytes;
  for (int shift = 0; shift < 64; shift += 8) bytes += static_cast<char>(number >> shift);
  return bytes;
}

static Status check(const NamedBytes& tensor, const std::string& file) {
  if (const std::string flaw = flaw_of_name(tensor.name); !flaw.empty())
    return tensor_error(ErrorKind::InvalidArgument, file, tensor.name, flaw);
  for (const int64_t size : tensor.shape)
    if (size < 0)
      return tensor_error(ErrorKind::InvalidArgument, file, tensor.name,
                          "has a negative size: " + to_string(tensor.shape));
  return ok();
}

// Our own reader is the judge of what a file may begin with.
static Status check_by_reading(std::string_view prologue, uint64_t data_bytes, const std::string& file) {
  const auto length = std::as_bytes(std::span(prologue)).first<kLengthBytes>();
  const Result<uint64_t> size = header_size(length, prologue.size() + data_bytes, file);
  if (!size) return size.error();
  const Result<Header> header = parse_header(prologue.substr(kLengthBytes), data_bytes, file);
  if (!header) return header.error();
  return ok();
}

Result<Prologue> prologue_of(std::span<const NamedBytes> tensors, const Metadata& metadata, const std::string& file) {
  uint64_t data_bytes = 0;
  for (const NamedBytes& tensor : tensors) {
    if (Status status = check(tensor, file); !status) return status.error();
    data_bytes += tensor.bytes.size();
  }
  if (Status status = check(metadata, file); !status) return status.error();
  Prologue out{writing_order(tensors), {}};
  std::string json;
  if (Status status = attempt([&] { json = header_text(tensors, out.order, metadata); }); !status)
    return file_error(status.error().kind, file, status.error().message);
  out.bytes = little_endian(json.size()) + json;
  if (Status status = check_by_reading(out.bytes, data_bytes, file); !status)
    return Error{ErrorKind::InvalidArgument, status.error().message};
  return out;
}

Status write_safetensors(const std::string& path, std::span<const NamedBytes> tensors, const Metadata& metadata) {
  const Result<Prologue> prologue = prologue_of(tensors, metadata, path);
  if (!prologue) return prologue.error();
  Result<OutputFile> file = OutputFile::create(path);
  if (!file) return file.error();
  if (Status status = file->write(prologue->bytes); !status) return status;
  for (const size_t i : prologue->order)
    if (Status status = file->write(tensors[i].bytes); !status) return status;
  return file->commit();
}

}  // namespace ranklint::runtime
