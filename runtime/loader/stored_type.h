// The element types that the safetensors format knows, those of less than a byte included. A file may hold all of them;
// the runtime computes with the few that are a DType.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "runtime/base/dtype.h"

namespace ranklint::runtime {

// In the order of the reference implementation (safetensors/src/tensor.rs, version 0.8), by which its writer sorts.
enum class StoredType : uint8_t {
  Bool,
  F4,
  F6E2M3,
  F6E3M2,
  U8,
  I8,
  F8E5M2,
  F8E4M3,
  F8E8M0,
  F8E4M3Fnuz,
  F8E5M2Fnuz,
  I16,
  U16,
  F16,
  BF16,
  I32,
  U32,
  F32,
  C64,
  F64,
  I64,
  U64,
};

std::string_view name_of(StoredType type);  // as in a header: "F32", "F8_E4M3"
uint64_t size_bits(StoredType type);        // of one element
std::optional<StoredType> stored_type_of(std::string_view name);

StoredType stored_type_of(DType dtype);
std::optional<DType> dtype_of(StoredType type);  // nullopt: bytes that the runtime has no arithmetic for

}  // namespace ranklint::runtime
