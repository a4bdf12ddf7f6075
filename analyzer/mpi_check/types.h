// MPI's datatypes: where the elements of one item lie, and what they are.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "analyzer/machine/program.h"

namespace ranklint::mpi_check {

// How a predefined type may be reduced.
enum class TypeClass : uint8_t { Integer, Real, Complex, Logical, Byte, Char, Pair, Packed };

struct BasicType {
  std::string_view name;
  machine::Scalar scalar;
  uint32_t size_bytes;
  TypeClass type_class;
};

const BasicType* find_basic(std::string_view name);

struct Segment {
  int64_t offset = 0;
  const BasicType* basic = nullptr;
  uint32_t object = 0;  // of the rank's memory, where the address is absolute; 0: it counts from the buffer's
  friend bool operator==(const Segment&, const Segment&) = default;
};

struct Type {
  std::vector<Segment> segments = {};
  int64_t lower = 0;
  int64_t extent = 0;
  int64_t size_bytes = 0;
  bool is_known = true;  // what it is made of was known
  bool is_predefined = false;
  bool is_committed = false;
  bool is_pair = false;  // a predefined value with its index, for MINLOC and MAXLOC

  // Made of what `MPI_Get_address` returned: it is used with `MPI_BOTTOM`.
  bool is_absolute() const { return !segments.empty() && segments.front().object; }
};

// Where a block begins: this many bytes after the buffer, or after the begin of an object.
struct Displacement {
  int64_t bytes = 0;
  uint32_t object = 0;
};

Type predefined_type(const BasicType& basic);
// Blocks of `lengths[i]` items of `of` at `offsets[i]`, of several types in turn. Not known where that is too much, or
// a part is not.
Type combine(const std::vector<int64_t>& lengths, const std::vector<Displacement>& offsets,
             const std::vector<const Type*>& of);
Type unknown_type();
bool is_contiguous(const Type& type);

}  // namespace ranklint::mpi_check
