// The header of a safetensors file: which tensors, of what type and shape, at which bytes.
//
// Format (safetensors README and tensor.rs): 8 bytes N, little-endian; N bytes of JSON, one object, which may end in
// white space; then the data. An entry is "name": {"dtype", "shape", "data_offsets": [begin, end)}, offsets relative to
// the data; "__metadata__" maps strings to strings. Row-major, no strides.
//
// Everything here is untrusted. Refused, as by the reference: offsets that overlap, leave a hole or do not end at the
// end of the data; a size that is not what shape and type say, or overflows; an unknown type; any number that is not a
// non-negative integer. Refused beyond it: a key twice (the reference keeps one of them), a NUL byte in a name or
// anywhere in the header, a first byte other than '{', nesting deeper than 4, more tensors or dimensions than the
// limits.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/base/error.h"
#include "runtime/base/tensor.h"
#include "runtime/loader/stored_type.h"

namespace ranklint::runtime {

struct HeaderLimits {
  uint64_t header_bytes = 100'000'000;  // the reference's
  size_t tensors = 1'000'000;
  size_t dimensions = 64;
  size_t unknown_fields = 64;  // of a tensor
};

struct TensorInfo {
  std::string name;
  StoredType type = StoredType::U8;
  Shape shape;         // [] is a scalar; sizes may be 0
  uint64_t begin = 0;  // bytes from the start of the data
  uint64_t end = 0;

  uint64_t size_bytes() const { return end - begin; }
  bool operator==(const TensorInfo&) const = default;
};

using Metadata = std::map<std::string, std::string>;

struct Header {
  std::vector<TensorInfo> tensors;  // as the data lies: by offsets, then by name
  Metadata metadata;
};

inline constexpr uint64_t kLengthBytes = 8;

// N, once it is known that a file of `file_bytes` can hold as much: to be asked before anything is allocated.
// `length`: the file's first 8 bytes.
Result<uint64_t> header_size(std::span<const std::byte, kLengthBytes> length, uint64_t file_bytes,
                             const std::string& file, const HeaderLimits& limits = {});

// `json`: the N bytes. `data_bytes`: what the file holds behind them. `file` is for messages.
Result<Header> parse_header(std::string_view json, uint64_t data_bytes, const std::string& file,
                            const HeaderLimits& limits = {});

// Why no tensor can be called that; "" where one can.
std::string flaw_of_name(std::string_view name);

// Bytes of a tensor; nullopt when the product overflows or is no whole number of bytes.
std::optional<uint64_t> stored_size_bytes(StoredType type, const Shape& shape);

}  // namespace ranklint::runtime
