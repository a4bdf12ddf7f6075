// Any bytes are a safetensors file: refused with a message, or accepted, and then every byte of the data belongs to
// exactly one tensor and our own writer's header says the same again.
#include <cstdint>
#include <cstdlib>
#include <span>
#include <string>
#include <vector>

#include "runtime/loader/header.h"
#include "runtime/loader/writer.h"

namespace {

using namespace ranklint::runtime;

void require(bool holds) {
  if (!holds) std::abort();
}

void check_cover(const Header& header, uint64_t data_bytes) {
  uint64_t end = 0;
  for (const TensorInfo& info : header.tensors) {
    require(info.begin == end && info.end >= info.begin);
    require(stored_size_bytes(info.type, info.shape) == info.size_bytes());
    end = info.end;
  }
  require(end == data_bytes);
}

void check_written_again(const Header& header, std::span<const std::byte> data) {
  std::vector<NamedBytes> tensors;
  for (const TensorInfo& info : header.tensors)
    tensors.push_back({info.name, info.type, info.shape, data.subspan(info.begin, info.size_bytes())});
  const Result<Prologue> prologue = prologue_of(tensors, header.metadata, "again");
  require(prologue.has_value());
  const Result<Header> again =
      parse_header(std::string_view(prologue->bytes).substr(kLengthBytes), data.size(), "again");
  require(again.has_value() && again->metadata == header.metadata && again->tensors.size() == header.tensors.size());
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const uint8_t* data, size_t size) {
  const std::span<const std::byte> file(reinterpret_cast<const std::byte*>(data), size);
  if (size < kLengthBytes) return 0;
  const Result<uint64_t> length = header_size(file.first<kLengthBytes>(), size, "fuzz");
  if (!length) return require(!length.error().message.empty()), 0;
  const std::span<const std::byte> json = file.subspan(kLengthBytes, *length),
                                   rest = file.subspan(kLengthBytes + *length);
  const Result<Header> header =
      parse_header({reinterpret_cast<const char*>(json.data()), json.size()}, rest.size(), "fuzz");
  if (!header) return require(header.error().message.starts_with("fuzz: ")), 0;
  check_cover(*header, rest.size());
  check_written_again(*header, rest);
  return 0;
}
