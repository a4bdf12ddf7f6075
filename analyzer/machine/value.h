// What a cell of memory holds, and memory.
//
// Everything is exact or openly unknown. An unknown value that all ranks share (a command-line argument) has a symbol,
// so that ranks that ask the same of it get the same answer; one that may differ between ranks `varies`.
#pragma once

#include <bit>
#include <cstdint>
#include <map>
#include <string>
#include <vector>

#include "analyzer/machine/program.h"

namespace ranklint::machine {

using ObjectId = uint32_t;  // 0: no object; a pointer into it is null or a number in disguise

struct Value {
  enum class Kind : uint8_t { Undefined, Unknown, Int, Real, Pointer, Function, External };
  Kind kind = Kind::Undefined;
  bool varies = true;   // Unknown
  uint8_t width = 0;    // in a message of bytes: how many of them this is; 0 in memory
  uint32_t object = 0;  // Pointer: the object; Unknown: its symbol
  int64_t number = 0;   // Int; Pointer: offset in bytes; Real: bits; Function, External: index; Unknown with a symbol:
                        // 2, the symbol is a truth, and 3, this is its opposite

  bool known() const { return kind >= Kind::Int; }
  // Into an object. An unknown value has a symbol where a pointer has its object: ask this before the object is looked
  // at.
  bool points() const { return kind == Kind::Pointer && object; }
  double real() const { return std::bit_cast<double>(number); }
  bool is_null() const { return (kind == Kind::Pointer && !object && !number) || (kind == Kind::Int && !number); }
  friend bool operator==(const Value&, const Value&) = default;
};

inline Value integer(int64_t i) { return {.kind = Value::Kind::Int, .varies = false, .number = i}; }
inline Value real(double d) {
  return {.kind = Value::Kind::Real, .varies = false, .number = std::bit_cast<int64_t>(d)};
}
inline Value pointer(ObjectId object, int64_t offset = 0) {
  return {.kind = Value::Kind::Pointer, .varies = false, .object = object, .number = offset};
}
inline Value unknown() { return {.kind = Value::Kind::Unknown}; }
inline Value shared_unknown(uint32_t symbol) {
  return {.kind = Value::Kind::Unknown, .varies = false, .object = symbol};
}

struct Cell {
  uint32_t size_bytes = 0;
  Value value = {};
};

// A variable, an allocation, a literal. Cells lie densely while all accesses have the element's size, else by offset.
struct Object {
  enum class Life : uint8_t { Local, Global, Heap, Text, Handle };
  Life life = Life::Local;
  Scalar element = Scalar::None;
  bool zeroed = false;   // what was never written is zero
  bool clouded = false;  // what was never written is not known: an unknown value may have been written there
  bool freed = false;    // or its function has returned
  bool size_known = true;
  uint16_t watches = 0;  // operations that hold a part of it
  uint32_t name = 0;     // place of its making
  uint64_t size_bytes = 0;
  std::vector<Value> dense = {};
  std::map<int64_t, Cell> sparse = {};
  Object* stands_for = nullptr;  // memory that several machines share lies there
};

Value load(const Object& object, int64_t offset, uint32_t size_bytes);
uint32_t cell_at(const Object& object, int64_t offset);  // how many bytes the cell has that begins here; 0: none does
void store(Object& object, int64_t offset, uint32_t size_bytes, Value value);
void forget(Object& object, int64_t offset, int64_t size_bytes);  // nothing is known of these bytes
void copy(Object& to, int64_t to_offset, const Object& from, int64_t from_offset, int64_t size_bytes);
void zero(Object& object, int64_t offset, int64_t size_bytes);
void set_element(Object& object, Scalar element);

}  // namespace ranklint::machine
