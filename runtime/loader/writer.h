// Writes safetensors files as the reference implementation does, byte for byte: entries by falling alignment (the order
// of StoredType), then by name; compact JSON, `__metadata__` first; padded with spaces so that the data begins at a
// multiple of 8. The file replaces an older one in one step (output_file.h).
#pragma once

#include <span>
#include <string>
#include <vector>

#include "runtime/base/tensor.h"
#include "runtime/loader/header.h"

namespace ranklint::runtime {

struct NamedBytes {
  std::string name;
  StoredType type = StoredType::U8;
  Shape shape;
  std::span<const std::byte> bytes;  // row-major, little-endian; must live until the file is written
};

NamedBytes named_bytes(std::string name, const Tensor& tensor);

// The order of writing, and everything before the data: N and the JSON.
struct Prologue {
  std::vector<size_t> order;
  std::string bytes;
};

// Refuses what our reader would refuse: a name twice, with a NUL or not UTF-8, "__metadata__", bytes that do not fit,
// more than HeaderLimits.
Result<Prologue> prologue_of(std::span<const NamedBytes> tensors, const Metadata& metadata, const std::string& file);

Status write_safetensors(const std::string& path, std::span<const NamedBytes> tensors, const Metadata& metadata = {});

}  // namespace ranklint::runtime
