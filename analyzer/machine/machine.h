// One rank: memory, frames, a stack of values, and the steps it takes until it ends or has to wait.
//
// The host decides a branch on a value that all ranks share but the analysis does not know, alike on all ranks. Where
// the value may differ between ranks, both sides are walked one after the other in the *shadow*: all that they write
// becomes unknown, and if neither communicates nor leaves, nothing was lost. If one does, the machine stops knowing.
#pragma once

#include <deque>
#include <functional>
#include <optional>
#include <span>

#include "analyzer/machine/value.h"

namespace ranklint::machine {

struct Machine;

struct CallResult {
  enum class Kind { Value, Blocked, Ended, Lost };
  Kind kind = Kind::Value;
  Value value = {};
};

struct Access {
  ObjectId object = 0;
  int64_t offset = 0;
  int64_t size_bytes = 0;
  bool is_write = false;
  bool ends_life = false;  // the memory is gone: its function returns
  bool is_freed = false;   // the memory is gone: it was given back
};

// What lies outside of the machine.
struct Host {
  std::function<CallResult(Machine&, const std::string& name, std::span<const Value> arguments)>
      call;  // not of the C library
  std::function<void(const Machine&, const std::string& name, std::span<const Value> arguments)>
      calls;                                                            // hears of every call of the outside
  std::function<void(Machine&, const Access&)> accessed;                // of an object that is watched
  std::function<bool(Machine&, uint32_t symbol, bool in_loop)> decide;  // what all ranks share
  std::function<bool(uint32_t symbol, bool side)> settle;               // decides it so; false: it was decided before
  std::function<uint32_t(uint64_t a, uint64_t b, uint64_t c)> symbol;   // equal for equal arguments, never 0
};

struct Frame {
  uint32_t function = 0;
  uint32_t pc = 0;
  uint32_t first_object = 0;  // of its variables, in the order of Function::variables
  uint32_t stack_base = 0;
};

// What `rand` gives follows from how it was seeded: ranks that seed alike draw alike. Which numbers come is for the
// library to say; here they are those of SplitMix64 (Steele, Lea, Flood: Fast splittable pseudorandom number
// generators, OOPSLA 2014).
struct Random {
  bool is_known = true;  // how it was seeded, and how often it was asked
  uint64_t seed = 1, drawn = 0;
};

// A branch on a value that varies, both of whose sides are walked.
struct Shadow {
  uint32_t frame = 0, branch = 0, other = 0, join = 0, stack_size = 0;
  bool on_other = false;
};

struct Machine {
  enum class State { Running, Waiting, Ended, Lost };

  const Program* program = nullptr;
  const Host* host = nullptr;
  uint32_t rank = 0;
  State state = State::Running;
  std::string lost_because = {};
  bool exited = false;  // by exit() or abort(), not by returning from main
  bool aborted = false;
  bool asserts_hold = false;                           // a failed assertion is passed over
  Value result = {};                                   // of main
  std::deque<Object> objects = std::deque<Object>(1);  // 0 is null; references stay
  std::vector<Frame> frames = {};
  std::vector<Value> stack = {};
  std::vector<Shadow> shadows = {};
  std::vector<ObjectId> globals = {};
  std::map<std::string, ObjectId> named = {};  // objects of the outside: `MPI_COMM_NULL`
  std::vector<ObjectId> texts = {};
  std::map<uint64_t, uint32_t> loop_turns = {};
  std::map<uint64_t, uint32_t> visits = {};  // calls that give a shared unknown, by place
  std::vector<Region> regions = {};          // that are open
  uint64_t steps = 0;
  std::vector<bool> entered = {};  // by function
  Random random = {};

  Object& at(ObjectId id) { return objects[id].stands_for ? *objects[id].stands_for : objects[id]; }
  const Step& step() const { return program->functions[frames.back().function].steps[frames.back().pc]; }
  uint32_t place() const;  // of the step being taken
  const Value& shadowed(const Value& v) const;
};

void start(Machine& machine, const Program& program, const Host& host, uint32_t rank);
// Runs until it ends, waits or is lost, or until it has taken `limit` steps in its life.
void run(Machine& machine, uint64_t limit);
void resume(Machine& machine, Value result);  // the call it waits in returns
// Runs a function of the program to its end from within a call of the outside, which was given it. Nothing: it did not
// get there, and the machine is lost.
std::optional<Value> call_back(Machine& machine, uint32_t function, std::span<const Value> arguments, uint64_t limit);

ObjectId make_object(Machine& machine, Object::Life life, uint64_t size_bytes, Scalar element);
ObjectId named_object(Machine& machine, const std::string& name);
void lose(Machine& machine, std::string why);

// Memory as the program sees it: watched, shadowed, and bounded.
Value load(Machine& machine, Value address, uint32_t size_bytes);
void store(Machine& machine, Value address, uint32_t size_bytes, Value value);
void touch(Machine& machine, Value address, int64_t size_bytes, bool is_write);

// texts.cpp: a C string all of whose characters are known. Nothing: it has others, or no end nearby.
std::optional<std::string> text_at(Machine& machine, const Value& at);

// library.cpp: the C library. Nothing: it is none of its functions.
std::optional<CallResult> call_library(Machine& machine, const std::string& name, std::span<const Value> arguments);
// arithmetic.cpp
Value binary(Machine& machine, Arithmetic op, Scalar scalar, const Value& a, const Value& b);
// The truth of a value that is unknown and shared, as a symbol that is one or its opposite.
Value truth_of_shared(Machine& machine, const Value& v);
Value unary(Machine& machine, Arithmetic op, Scalar scalar, const Value& a);
Value convert(const Value& v, Scalar to);
std::optional<bool> truth(const Value& v);

}  // namespace ranklint::machine
