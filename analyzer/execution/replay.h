// What every rank of a small world does, as plain data that can be run: the whole program of the finding, from the
// function where the ranks were compared, on all groups that it uses.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "analyzer/base/source_range.h"

namespace ranklint {

// A message to or from another rank.
struct Message {
  enum class Kind : uint8_t { None, Send, Receive, Wait };
  Kind kind = Kind::None;
  uint32_t peer = 0;  // a global rank
  int32_t tag = 0;
  bool starts_only = false;  // it goes on by itself, and is waited for at the end or where a step says so
  size_t started = 0;        // Wait: the step that it waits for
};

struct ReplayStep {
  std::string op;      // "all_reduce"
  Message message;     // of `send` and its kin
  uint32_t group = 0;  // of Replay::groups
  int64_t root = -1;   // a global rank; -1: the operation has none, or any will do
  uint32_t size = 0;   // ranks that hand over tensors of different sizes have different numbers here
  std::string reduce;  // "SUM"; empty: not known, the same everywhere
  std::string tag;     // what it is about, where ranks may take that in different orders
  bool creates_group = false;
  std::vector<int> members;  // creates_group: the ranks given; empty: all
  std::string path;          // where it stands
  SourceRange range;
};

struct ReplayGroup {
  std::string name;                             // "sp"
  std::vector<std::vector<uint32_t>> ranks_of;  // per rank of the world: the members of its own group, ascending
};

struct Replay {
  // Followed: each rank was executed by itself, with nothing but its rank and the witness's decisions. Told: the steps
  // are the witness's own.
  enum class Basis { Followed, Told };
  Basis basis = Basis::Followed;
  uint32_t world_size = 0;
  std::vector<ReplayGroup> groups;
  std::vector<std::vector<ReplayStep>> ranks;  // per rank: its steps
  std::vector<size_t> diverged;  // per rank: how many of them lie before the ranks diverge; empty: they go together
  bool parts = false;            // both classes came to where they diverge
  std::vector<bool> fails;       // per rank: it raises after its steps, and nothing catches that
  std::string not_computed;      // where a condition on the rank stands whose answers were assumed; empty: none
  int waiter = -1;               // the rank that must wait; -1: any rank that arrives
  std::string path;              // and where
  SourceRange waits;
};

}  // namespace ranklint
