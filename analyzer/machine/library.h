// Functions of the C library, by name: tables of them, and what their handlers have in common.
#pragma once

#include "analyzer/machine/machine.h"

namespace ranklint::machine {

using Arguments = std::span<const Value>;
using Handler = CallResult (*)(Machine&, const std::string& name, Arguments);

struct Entry {
  const char* name;
  Handler handler;
};

inline CallResult gives(Value v) { return {.value = v}; }
inline Value argument(Arguments a, size_t i) { return i < a.size() ? a[i] : unknown(); }
inline Value moved_by(Value p, int64_t bytes) {
  return p.kind == Value::Kind::Pointer ? pointer(p.object, p.number + bytes) : p;
}

// library.cpp
Value allocate(Machine& machine, Value size_bytes, bool zeroed);
CallResult shared(Machine& machine, const std::string& name,
                  Arguments arguments);  // what a launcher gives all ranks alike

// texts.cpp
std::span<const Entry> text_functions();

}  // namespace ranklint::machine
