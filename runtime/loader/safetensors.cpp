#include "runtime/loader/safetensors.h"

#include <algorithm>
#include <array>
#include <numeric>

#include "runtime/base/fingerprint.h"
#include "runtime/loader/attempt.h"
#include "runtime/loader/run_reader.h"
#include "runtime/loader/text.h"

namespace ranklint::runtime {

static Result<uint64_t> read_header_size(const InputFile& file, const HeaderLimits& limits) {
  const std::string bytes = std::to_string(file.size_bytes());
  if (file.size_bytes() < kLengthBytes)
    return file_error(ErrorKind::Format, file.path(), "has " + bytes + " bytes, too few for a safetensors header");
  std::array<std::byte, kLengthBytes> length{};
  if (Status status = file.read_small(0, length); !status) return status.error();
  return header_size(length, file.size_bytes(), file.path(), limits);
}

static std::vector<uint32_t> order_by_name(const std::vector<TensorInfo>& tensors) {
  std::vector<uint32_t> order(tensors.size());
  std::iota(order.begin(), order.end(), 0u);
  std::sort(order.begin(), order.end(), [&](uint32_t a, uint32_t b) { return tensors[a].name < tensors[b].name; });
  return order;
}

Result<SafeTensors> SafeTensors::open(const std::string& path, const OpenOptions& options) {
  Result<InputFile> file = InputFile::open(path, options.read);
  if (!file) return file.error();
  const Result<uint64_t> header_size = read_header_size(*file, options.limits);
  if (!header_size) return header_size.error();
  std::string json;
  if (Status status = attempt([&] { json.resize(*header_size); }); !status)
    return file_error(status.error().kind, path, status.error().message);
  if (Status status = file->read_small(kLengthBytes, std::as_writable_bytes(std::span(json))); !status)
    return status.error();

  SafeTensors out;
  out.file_ = std::move(*file);
  out.data_offset_ = kLengthBytes + *header_size;
  out.fingerprint_ = Fingerprint().add(json).add(out.file_.size_bytes()).value();
  Result<Header> header = parse_header(json, out.file_.size_bytes() - out.data_offset_, path, options.limits);
  if (!header) return header.error();
  out.header_ = std::move(*header);
  out.by_name_ = order_by_name(out.header_.tensors);
  return out;
}

const TensorInfo* SafeTensors::find(std::string_view name) const {
  const auto name_of_index = [&](uint32_t index) -> std::string_view { return header_.tensors[index].name; };
  const auto found =
      std::lower_bound(by_name_.begin(), by_name_.end(), name,
                       [&](uint32_t index, std::string_view wanted) { return name_of_index(index) < wanted; });
  return found != by_name_.end() && name_of_index(*found) == name ? &header_.tensors[*found] : nullptr;
}

Result<const TensorInfo*> SafeTensors::require(std::string_view name) const {
  if (const TensorInfo* info = find(name)) return info;
  return tensor_error(ErrorKind::Missing, path(), name, "is not in the file");
}

// An error that names the file gets the tensor's name too.
Status SafeTensors::named(Status status, const TensorInfo& info) const {
  if (status) return status;
  std::string what = status.error().message;
  if (what.starts_with(path() + ": ")) what.erase(0, path().size() + 2);
  return tensor_error(status.error().kind, path(), info.name, what);
}

Result<Tensor> SafeTensors::read(std::string_view name) const {
  const Result<const TensorInfo*> info = require(name);
  if (!info) return info.error();
  return read(name, whole_of((*info)->shape));
}

Result<Tensor> SafeTensors::read(std::string_view name, const Box& part) const {
  const Result<const TensorInfo*> found = require(name);
  if (!found) return found.error();
  const TensorInfo& info = **found;
  const std::optional<DType> dtype = dtype_of(info.type);
  if (!dtype)
    return tensor_error(ErrorKind::Unsupported, path(), name,
                        "its type " + std::string(name_of(info.type)) + " can only be read as bytes");
  if (!lies_within(part, info.shape))
    return tensor_error(ErrorKind::InvalidArgument, path(), name,
                        to_string(part) + " is no part of " + to_string(info.shape));
  Tensor out;
  if (Status status = named(attempt([&] { out = Tensor::empty(part.sizes, *dtype); }), info); !status)
    return status.error();
  if (Status status = read_into(info, whole_of(info.shape), part, part, out.data()); !status) return status.error();
  return out;
}

Status SafeTensors::read_into(const TensorInfo& info, const Box& stored, const Box& part, const Box& destination,
                              std::byte* out) const {
  if (size_bits(info.type) % 8 != 0)
    return tensor_error(ErrorKind::Unsupported, path(), info.name,
                        "elements of less than a byte can only be read as bytes");
  const auto read_all = [&] {
    return read_runs(file_, data_offset_ + info.begin, Runs(part, stored, destination, size_bits(info.type) / 8), out);
  };
  if (Status status = named(attempt(read_all), info); !status) return status;
  return named(file_.check_unchanged(), info);
}

uint64_t SafeTensors::scratch_bytes_for(const TensorInfo& info, const Box& stored, const Box& part,
                                        const Box& destination) const {
  return scratch_bytes(Runs(part, stored, destination, size_bits(info.type) / 8), file_);
}

Result<std::vector<std::byte>> SafeTensors::read_bytes(std::string_view name) const {
  const Result<const TensorInfo*> info = require(name);
  if (!info) return info.error();
  std::vector<std::byte> bytes;
  if (Status status = named(attempt([&] { bytes.resize((*info)->size_bytes()); }), **info); !status)
    return status.error();
  if (Status status = named(file_.read(data_offset_ + (*info)->begin, bytes), **info); !status) return status.error();
  if (Status status = named(file_.check_unchanged(), **info); !status) return status.error();
  return bytes;
}

}  // namespace ranklint::runtime
