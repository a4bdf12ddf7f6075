// What went wrong in a small world. Plain data, for the rules to word and to report (facts.h).
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/mpi_check/facts.h"

namespace ranklint::machine {
struct Program;
}

namespace ranklint::mpi_check {

struct Note {
  Mark mark;
  Statement statement;

  bool operator==(const Note&) const = default;
};

// What a rank did last, and how it ends.
struct Lane {
  uint32_t rank = 0;
  std::vector<Note> steps;
  Statement end;
};

// What a rank posted, in the order in which it did: enough to post it again elsewhere.
struct Posted {
  enum class Kind : uint8_t { Send, Receive, Collective };
  Kind kind = Kind::Collective;
  std::string call;               // "MPI_Isend"
  Argument reduce;                // "SUM"; empty: it reduces nothing
  uint32_t channel = 0;           // of its communicator
  std::vector<uint32_t> members;  // of the world, by rank of the communicator
  std::optional<Statement> term;  // where it is what ranks disagree about
  int64_t peer = -1, root = -1;   // ranks of the world; -1: none, or any
  int64_t tag = 0;
  bool starts_only = false;  // it goes on by itself
  bool is_matched = false;   // a message that was sent and received
  Mark mark;
};

struct Problem {
  ProblemKind kind = ProblemKind::InvalidArgument;
  Mark mark;
  std::string function;
  Statement statement;
  std::vector<Note> notes = {};
  std::vector<Lane> lanes = {};
  std::vector<std::vector<Posted>> posted = {};  // by rank; empty: no rank waits
  uint32_t world_size = 0;
  uint32_t rank = 0;
  bool is_with_buffers = false;  // it is so where the library buffers all that is sent, and only there
  uint32_t needed_size = 0;      // ranks that the world would need for it to be right; 0: no number makes it so
};

struct Verdict {
  bool is_exact = false;               // every world was run to its end, on every path that all ranks share
  std::vector<Problem> problems = {};  // sorted by place
  std::vector<Mark> reached = {};      // the names of functions that were run
  std::string lost_because;            // not exact: why, for `ranklint ir` and for tests
};

// Runs the program in a world of 4 ranks, or of as many as it asks for.
Verdict explore(const machine::Program& program);

}  // namespace ranklint::mpi_check
