// A random SPMD program as a description: what is generated, executed, emitted as source, and made smaller.
//
// The mesh has two axes, `tp` and `dp`, beside the world. A condition asks for a rank, for one of two flags that are
// the same on all ranks, for the parameter that a caller hands over, or for something a rank sees alone. A caller hands
// over a group, too. Functions call later ones only, so that every run ends. Messages go from rank to rank in the
// world: a transfer by itself, one that is started and waited for after other work, or a batch of a send and
// a receive.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

namespace ranklint::random_programs {

enum class Axis : uint8_t {
  World,
  Tp,
  Dp,
  Handed
};  // Handed: the group that the caller gave; in the first function: the world
enum class Op : uint8_t { AllReduce, Barrier, AllGather };

struct Condition {
  enum class Kind : uint8_t {
    Flag,       // u0, u1: number
    Equals,     // rank along `axis` == number
    Less,       // rank along `axis` < number
    Even,       // rank along `axis` % 2 == 0
    Last,       // rank along `axis` == its size - 1
    Local,      // this rank's clock
    Parameter,  // what the caller handed over; in the first function: false
    Not,
    And,
    Or,
  };
  Kind kind = Kind::Flag;
  Axis axis = Axis::World;
  int number = 0;
  std::vector<Condition> parts{};
  friend bool operator==(const Condition&, const Condition&) = default;
};

// The other end of a message, as a rank of the world.
struct Peer {
  enum class Kind : uint8_t {
    Number,
    Next,
    Previous,  // in the ring of all ranks
    Above,
    Below,   // rank + 1, rank - 1: the last rank has none, the first has none
    Mirror,  // world_size - 1 - rank
    Other,   // that of the round of a loop over the others
  };
  Kind kind = Kind::Number;
  int number = 0;
  friend bool operator==(const Peer&, const Peer&) = default;
};

struct Statement {
  enum class Kind : uint8_t {
    Collective,
    If,
    Repeat,
    Return,
    Break,
    Continue,
    Call,
    Raise,
    Try,
    Transfer,
    Started,
    Batch
  };
  enum class Times : uint8_t { Unknown, Two, Rank, Others };  // n0; 2; the rank along `axis`; each rank but 0
  Kind kind = Kind::Collective;
  Op op = Op::AllReduce;         // Collective
  Axis axis = Axis::World;       // Collective: its group; Repeat: of Times::Rank; Call: the group handed over
  Times times = Times::Unknown;  // Repeat
  int callee = 0;                // Call
  Condition condition{};         // If; Call: what is handed over
  std::vector<Statement> body{}, otherwise{};  // Try: what is tried, and the handler; Started: what is done meanwhile
  bool sends = true;                           // Transfer, Started; Batch: whether the send is the first of the two
  Peer peer{}, from{};                         // Batch: to whom it sends, and from whom it receives
  int tag = 0;                                 // Transfer, Started
  friend bool operator==(const Statement&, const Statement&) = default;
};

struct Program {
  std::vector<std::vector<Statement>> functions;  // the first is the program
  friend bool operator==(const Program&, const Program&) = default;
};

// Whether nothing after it in its block is reached.
bool leaves(Statement::Kind kind);

size_t size_of(const Program& program);  // statements and parts of conditions
bool has_local(const Program& program);
bool has_messages(const Program& program);
bool names_axes(const Program& program);  // asks for a rank or uses a group along `tp` or `dp`

// Whether the program asks for nothing but flags, parameters and ranks along one axis, and none of its loops goes round
// as often as a rank says. How a mesh numbers its ranks is not in a program: so what asks for the rank in the world
// counts only where all groups are the world.
//
// With messages nothing is raised, no other group is there, and what flags and parameters decide about is whole: both
// ends of its messages, or none of them, and on one side only. A flag that tells senders from receivers may not be one
// that all ranks share. is_exact() of execute.h says the rest.
bool in_exact_domain(const Program& program);

// Empties functions that the first one does not reach: they never run, so they are no part of the truth.
void drop_uncalled(Program& program);

}  // namespace ranklint::random_programs
