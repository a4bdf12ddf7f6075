#include "runtime/loader/stored_type.h"

#include <algorithm>
#include <array>

namespace ranklint::runtime {

namespace {

struct Row {
  StoredType type;
  std::string_view name;
  uint64_t size_bits;
  std::optional<DType> dtype = {};
};

constexpr std::array<Row, 22> kRows = {{
    {StoredType::Bool, "BOOL", 8},
    {StoredType::F4, "F4", 4},
    {StoredType::F6E2M3, "F6_E2M3", 6},
    {StoredType::F6E3M2, "F6_E3M2", 6},
    {StoredType::U8, "U8", 8, DType::U8},
    {StoredType::I8, "I8", 8},
    {StoredType::F8E5M2, "F8_E5M2", 8},
    {StoredType::F8E4M3, "F8_E4M3", 8},
    {StoredType::F8E8M0, "F8_E8M0", 8},
    {StoredType::F8E4M3Fnuz, "F8_E4M3FNUZ", 8},
    {StoredType::F8E5M2Fnuz, "F8_E5M2FNUZ", 8},
    {StoredType::I16, "I16", 16},
    {StoredType::U16, "U16", 16},
    {StoredType::F16, "F16", 16, DType::F16},
    {StoredType::BF16, "BF16", 16, DType::BF16},
    {StoredType::I32, "I32", 32, DType::I32},
    {StoredType::U32, "U32", 32},
    {StoredType::F32, "F32", 32, DType::F32},
    {StoredType::C64, "C64", 64},
    {StoredType::F64, "F64", 64, DType::F64},
    {StoredType::I64, "I64", 64, DType::I64},
    {StoredType::U64, "U64", 64},
}};

constexpr bool rows_lie_at_their_type() {
  for (size_t i = 0; i < kRows.size(); ++i)
    if (static_cast<size_t>(kRows[i].type) != i) return false;
  return true;
}
static_assert(rows_lie_at_their_type());

const Row& row_of(StoredType type) { return kRows[static_cast<size_t>(type)]; }

}  // namespace

std::string_view name_of(StoredType type) { return row_of(type).name; }

uint64_t size_bits(StoredType type) { return row_of(type).size_bits; }

std::optional<StoredType> stored_type_of(std::string_view name) {
  const auto* row = std::find_if(kRows.begin(), kRows.end(), [&](const Row& r) { return r.name == name; });
  if (row == kRows.end()) return std::nullopt;
  return row->type;
}

StoredType stored_type_of(DType dtype) {
  return std::find_if(kRows.begin(), kRows.end(), [&](const Row& r) { return r.dtype == dtype; })->type;
}

std::optional<DType> dtype_of(StoredType type) { return row_of(type).dtype; }

}  // namespace ranklint::runtime
