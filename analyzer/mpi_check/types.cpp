#include "analyzer/mpi_check/types.h"

#include <algorithm>
#include <array>

namespace ranklint::mpi_check {

namespace {

using machine::Scalar;
using enum TypeClass;

constexpr size_t kMostSegments = 1 << 16;

constexpr std::array kBasics = {
    BasicType{"MPI_CHAR", Scalar::I8, 1, Char},
    BasicType{"MPI_SIGNED_CHAR", Scalar::I8, 1, Integer},
    BasicType{"MPI_UNSIGNED_CHAR", Scalar::U8, 1, Integer},
    BasicType{"MPI_BYTE", Scalar::U8, 1, Byte},
    BasicType{"MPI_WCHAR", Scalar::I32, 4, Char},
    BasicType{"MPI_SHORT", Scalar::I16, 2, Integer},
    BasicType{"MPI_UNSIGNED_SHORT", Scalar::U16, 2, Integer},
    BasicType{"MPI_INT", Scalar::I32, 4, Integer},
    BasicType{"MPI_UNSIGNED", Scalar::U32, 4, Integer},
    BasicType{"MPI_LONG", Scalar::I64, 8, Integer},
    BasicType{"MPI_UNSIGNED_LONG", Scalar::U64, 8, Integer},
    BasicType{"MPI_FLOAT", Scalar::F32, 4, Real},
    BasicType{"MPI_DOUBLE", Scalar::F64, 8, Real},
    BasicType{"MPI_LONG_DOUBLE", Scalar::F80, 16, Real},
    BasicType{"MPI_LONG_LONG_INT", Scalar::I64, 8, Integer},
    BasicType{"MPI_LONG_LONG", Scalar::I64, 8, Integer},
    BasicType{"MPI_UNSIGNED_LONG_LONG", Scalar::U64, 8, Integer},
    BasicType{"MPI_INT8_T", Scalar::I8, 1, Integer},
    BasicType{"MPI_INT16_T", Scalar::I16, 2, Integer},
    BasicType{"MPI_INT32_T", Scalar::I32, 4, Integer},
    BasicType{"MPI_INT64_T", Scalar::I64, 8, Integer},
    BasicType{"MPI_UINT8_T", Scalar::U8, 1, Integer},
    BasicType{"MPI_UINT16_T", Scalar::U16, 2, Integer},
    BasicType{"MPI_UINT32_T", Scalar::U32, 4, Integer},
    BasicType{"MPI_UINT64_T", Scalar::U64, 8, Integer},
    BasicType{"MPI_C_BOOL", Scalar::Bool, 1, Logical},
    BasicType{"MPI_CXX_BOOL", Scalar::Bool, 1, Logical},
    BasicType{"MPI_C_COMPLEX", Scalar::None, 8, Complex},
    BasicType{"MPI_C_FLOAT_COMPLEX", Scalar::None, 8, Complex},
    BasicType{"MPI_C_DOUBLE_COMPLEX", Scalar::None, 16, Complex},
    BasicType{"MPI_C_LONG_DOUBLE_COMPLEX", Scalar::None, 32, Complex},
    BasicType{"MPI_CXX_FLOAT_COMPLEX", Scalar::None, 8, Complex},
    BasicType{"MPI_CXX_DOUBLE_COMPLEX", Scalar::None, 16, Complex},
    BasicType{"MPI_AINT", Scalar::I64, 8, Integer},
    BasicType{"MPI_OFFSET", Scalar::I64, 8, Integer},
    BasicType{"MPI_COUNT", Scalar::I64, 8, Integer},
    BasicType{"MPI_PACKED", Scalar::None, 1, Packed},
    BasicType{"MPI_FLOAT_INT", Scalar::None, 8, Pair},
    BasicType{"MPI_DOUBLE_INT", Scalar::None, 16, Pair},
    BasicType{"MPI_LONG_INT", Scalar::None, 16, Pair},
    BasicType{"MPI_2INT", Scalar::None, 8, Pair},
    BasicType{"MPI_SHORT_INT", Scalar::None, 8, Pair},
    BasicType{"MPI_LONG_DOUBLE_INT", Scalar::None, 32, Pair},
    BasicType{"MPI_COMPLEX", Scalar::None, 8, Complex},
    BasicType{"MPI_DOUBLE_COMPLEX", Scalar::None, 16, Complex},
    BasicType{"MPI_LOGICAL", Scalar::I32, 4, Logical},
    BasicType{"MPI_REAL", Scalar::F32, 4, Real},
    BasicType{"MPI_DOUBLE_PRECISION", Scalar::F64, 8, Real},
    BasicType{"MPI_INTEGER", Scalar::I32, 4, Integer},
    BasicType{"MPI_CHARACTER", Scalar::I8, 1, Char},
    BasicType{"MPI_REAL4", Scalar::F32, 4, Real},
    BasicType{"MPI_REAL8", Scalar::F64, 8, Real},
    BasicType{"MPI_INTEGER4", Scalar::I32, 4, Integer},
    BasicType{"MPI_INTEGER8", Scalar::I64, 8, Integer},
};

// The alignment of the largest element: an item's extent is a multiple of it.
int64_t alignment(const Type& type) {
  int64_t most = 1;
  for (const Segment& s : type.segments) most = std::max<int64_t>(most, std::min<uint32_t>(s.basic->size_bytes, 16));
  return most;
}

}  // namespace

const BasicType* find_basic(std::string_view name) {
  for (const BasicType& basic : kBasics)
    if (basic.name == name) return &basic;
  return nullptr;
}

// The value of a pair; its index, an int, lies after it.
static std::string_view value_of_pair(const BasicType& pair) {
  if (pair.name == "MPI_FLOAT_INT") return "MPI_FLOAT";
  if (pair.name == "MPI_DOUBLE_INT") return "MPI_DOUBLE";
  if (pair.name == "MPI_LONG_INT") return "MPI_LONG";
  if (pair.name == "MPI_SHORT_INT") return "MPI_SHORT";
  return pair.name == "MPI_2INT" ? "MPI_INT" : "MPI_LONG_DOUBLE";
}

Type predefined_type(const BasicType& basic) {
  if (basic.type_class == TypeClass::Pair) {
    const BasicType *value = find_basic(value_of_pair(basic)), *index = find_basic("MPI_INT");
    const int64_t offset = std::max<int64_t>(value->size_bytes, 4);
    return {.segments = {{.basic = value}, {.offset = offset, .basic = index}},
            .extent = basic.size_bytes,
            .size_bytes = value->size_bytes + 4,
            .is_predefined = true,
            .is_committed = true,
            .is_pair = true};
  }
  return {.segments = {{.basic = &basic}},
          .extent = basic.size_bytes,
          .size_bytes = basic.size_bytes,
          .is_predefined = true,
          .is_committed = true};
}

Type unknown_type() {
  Type t;
  t.is_known = false;
  return t;
}

Type combine(const std::vector<int64_t>& lengths, const std::vector<Displacement>& offsets,
             const std::vector<const Type*>& of) {
  Type type;
  int64_t lower = 0, upper = 0;
  bool is_first = true;
  for (size_t b = 0; b < lengths.size(); ++b) {
    const Type& item = *of[b % of.size()];
    if (!item.is_known || lengths[b] > static_cast<int64_t>(kMostSegments)) return unknown_type();
    for (int64_t i = 0; i < lengths[b]; ++i) {
      const int64_t at = offsets[b].bytes + i * item.extent;
      if (type.segments.size() + item.segments.size() > kMostSegments) return unknown_type();
      for (const Segment& s : item.segments)
        type.segments.push_back({at + s.offset, s.basic, s.object ? s.object : offsets[b].object});
      type.size_bytes += item.size_bytes;
      lower = is_first ? at + item.lower : std::min(lower, at + item.lower);
      upper = is_first ? at + item.lower + item.extent : std::max(upper, at + item.lower + item.extent);
      is_first = false;
    }
  }
  // An item that lies partly here and partly where the buffer begins means nothing.
  const auto has_other_base = [&](const Segment& s) { return !s.object != !type.segments.front().object; };
  if (std::any_of(type.segments.begin(), type.segments.end(), has_other_base)) return unknown_type();
  type.lower = lower;
  type.extent = upper - lower;
  if (of.size() > 1 && type.extent % alignment(type)) type.extent += alignment(type) - type.extent % alignment(type);
  return type;
}

bool is_contiguous(const Type& type) {
  if (type.is_absolute()) return false;
  int64_t at = type.lower;
  for (const Segment& s : type.segments) {
    if (s.offset != at) return false;
    at += s.basic->size_bytes;
  }
  return at == type.lower + type.extent;
}

}  // namespace ranklint::mpi_check
