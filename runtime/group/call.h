// One call of one rank: what every rank publishes before anything moves, so that disagreement is seen, not guessed.
//
// Calls on a group are matched by (group, k-th collective call of that rank on that group); point-to-point calls by
// (group, source, destination, tag) in order, non-overtaking. Nothing else identifies them, as in c10d.
#pragma once

#include <chrono>
#include <cstdint>
#include <source_location>
#include <span>
#include <string_view>

#include "runtime/base/tensor.h"

namespace ranklint::runtime {

enum class OpType : uint8_t {
  Broadcast,
  AllReduce,
  Reduce,
  AllGather,
  Gather,
  Scatter,
  ReduceScatter,
  AllToAll,
  Barrier,
  MonitoredBarrier,
  Send,
  Recv,
  NewGroup,
};

inline bool is_message(OpType op) { return op == OpType::Send || op == OpType::Recv; }

enum class ReduceOp : uint8_t { Sum, Avg, Min, Max, Prod };

std::string_view name_of(OpType op);    // "all_reduce", ...
std::string_view name_of(ReduceOp op);  // "sum", ...

// Where a call is written. Every operation takes one by default argument.
//
// It is copied field by field, and handed on by reference: what was just written in parts can not be read as a whole
// before it has all left the processor's store buffer, which takes a tenth of a small call.
struct Site {
  const char* file = "";
  uint32_t line = 0;
  const char* function = "";

  constexpr Site() = default;
  constexpr Site(const char* in_file, uint32_t at_line, const char* in_function)
      : file(in_file), line(at_line), function(in_function) {}
  constexpr Site(const Site& other) : file(other.file), line(other.line), function(other.function) {}
  constexpr Site& operator=(const Site& other) {
    file = other.file;
    line = other.line;
    function = other.function;
    return *this;
  }

  static Site here(std::source_location at = std::source_location::current()) {
    return {at.file_name(), at.line(), at.function_name()};
  }
};

struct OpOptions {
  bool async = false;
  // Throw RankError{Timeout} when not complete by then, and end the world; 0 = the world's default. For an asynchronous
  // operation it runs from its wait on, or from its first test; in Mode::OneQueue also from when its queue comes to it.
  std::chrono::milliseconds timeout{0};
  // Names what is communicated (a parameter's name). Ranks that name it differently disagree: an error. Without names,
  // two tensors of one shape in swapped order can not be told apart.
  std::string_view name = {};
  // The operation that the user wrote when this call is made on its behalf ("DTensor.copy_", "Fsdp"): implicit.
  std::string_view implicit_in = {};
};

inline constexpr OpOptions kNoOptions;

// What one rank asks for. It only looks at its tensors: whoever needs them for longer than the call (an asynchronous
// operation) keeps handles of its own.
struct Call {
  OpType op = OpType::Barrier;
  std::span<const Tensor> in{};   // what this rank gives: one tensor, or a piece per member
  std::span<const Tensor> out{};  // what it receives: likewise; may alias `in`
  ReduceOp reduce = ReduceOp::Sum;
  int root = -1;  // group rank; Send/Recv: the peer's group rank (kAnySource in Recv: whoever comes)
  int tag = 0;
  std::span<const int> new_ranks{};  // NewGroup: the members, as global ranks
  OpOptions options;
  Site site;
};

inline constexpr int kAnySource = -1;

}  // namespace ranklint::runtime
