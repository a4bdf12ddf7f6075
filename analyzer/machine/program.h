// A program as a machine runs it: what the small worlds (analyzer/mpi_check/) execute rank by rank.
//
// The IR says what a program may do. To know exactly what MPI calls a rank makes, with which buffer, count, tag and
// request, it must be run. So a C frontend hands on, beside the IR, the program as steps of a stack machine
// whose memory is objects of cells: C's own semantics of pointers, arrays, structures and conversions, nothing else.
//
// A step pops its operands and pushes its result. `rank == 0` is
//
//     Local rank; Load I32; Int 0; Binary Equal
//
// What the frontend cannot say becomes `Unsupported`, and the machine knows that it no longer knows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/base/source_range.h"

namespace ranklint::machine {

enum class Scalar : uint8_t { None, Bool, I8, U8, I16, U16, I32, U32, I64, U64, F32, F64, F80, Pointer };

uint32_t size_bytes(Scalar scalar);
bool is_real(Scalar scalar);
bool is_integer(Scalar scalar);

enum class StepKind : uint8_t {
  Int,   // number
  Real,  // number: the bits of a double
  Null,
  Text,             // address of texts[number]
  FunctionAddress,  // of functions[number]
  ExternalAddress,  // of externals[number]
  Local,            // address of variable `number` of the frame
  Global,           // address of globals[number]
  Load,             // address -> value of type `scalar`
  Store,            // address, value -> value
  CopyRecord,       // to, from -> to; number bytes
  Zero,             // address -> ; number bytes
  Offset,           // address -> address + number
  Index,            // address, index -> address + index * number
  Distance,         // address, address -> their distance in units of number bytes
  Binary,           // detail: Arithmetic; scalar: of the operands
  Unary,            // detail: Arithmetic
  Convert,          // to scalar
  Add,              // address -> the value after number was added; detail 1: the one before
  Pop,
  Duplicate,
  Jump,     // to number
  Branch,   // false: to target_of(number); the sides join at join_of(number), 0: unknown
  AndElse,  // false: pushes false and jumps to number; true: goes on
  OrElse,
  Call,          // functions[number] with `detail` arguments
  CallPointer,   // address, arguments
  CallExternal,  // externals[number] with `detail` arguments
  Return,        // value; detail 1: it is the address of a record of number bytes
  ReturnNothing,
  Fresh,    // the life of variable `number` begins: nothing is known of it
  Extent,   // size -> ; the variable `number` has as many bytes
  Element,  // address -> address; memory without a type there holds `scalar`s
  Region,   // what follows is done by several threads, or by one of them; detail: Region
  EndRegion,
  Unsupported,  // texts[number] says what
};

// Which threads run a block of OpenMP. The machine runs such a block once, as one thread does.
// Each iteration of a loop is run once, by one of the threads.
enum class Region : uint8_t { Parallel, Master, Single, Critical, Loop };

enum class Arithmetic : uint8_t {
  Add,
  Subtract,
  Multiply,
  Divide,
  Remainder,
  ShiftLeft,
  ShiftRight,
  And,
  Or,
  Xor,
  Equal,
  NotEqual,
  Less,
  LessEqual,
  Greater,
  GreaterEqual,
  Negate,
  Not,
  Invert,
};

struct Step {
  StepKind kind = StepKind::Unsupported;
  Scalar scalar = Scalar::None;
  uint8_t detail = 0;
  uint32_t place = 0;  // into Program::places
  int64_t number = 0;
};

inline uint32_t target_of(int64_t number) { return static_cast<uint32_t>(number); }
inline uint32_t join_of(int64_t number) { return static_cast<uint32_t>(static_cast<uint64_t>(number) >> 32); }
inline int64_t branch_number(uint32_t target, uint32_t join) {
  return static_cast<int64_t>(static_cast<uint64_t>(join) << 32 | target);
}

struct Variable {
  std::string name = {};
  std::string exported = {};  // of a global with external linkage: by what name other units know it
  uint64_t size_bytes = 0;
  Scalar element = Scalar::None;  // of a scalar or an array of them; None: a record
  uint32_t place = 0;
};

struct Function {
  std::string name = {};
  std::string exported = {};             // by what name other units call it; empty: they cannot
  std::vector<Variable> variables = {};  // parameters first
  uint32_t parameter_count = 0;
  std::vector<Step> steps = {};
  uint32_t place = 0;  // of its name
};

struct SourceLocation {
  uint32_t file = 0;  // into Program::files
  SourceRange range = {};
};

// What one unit says. One without a `main` is part of others' programs: link.h.
struct Program {
  static constexpr uint32_t kNoMain = UINT32_MAX;

  std::string unit = {};  // its file
  std::vector<std::string> files = {};
  std::vector<SourceLocation> places = {{}};
  std::vector<Function> functions = {};  // the first sets the globals
  bool has_main() const { return main != kNoMain; }
  uint32_t main = 0;
  uint32_t main_parameters = 0;
  std::vector<Variable> globals = {};  // an empty size: defined elsewhere, `MPI_COMM_WORLD`
  std::vector<std::string> texts = {};
  std::vector<std::string> externals = {};  // functions without a body here
  std::vector<bool> is_library = {};        // by external: declared by a header of the system
};

}  // namespace ranklint::machine
