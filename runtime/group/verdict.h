// What the watchdog says about a world: exact, at once, with who waits where for whom.
//
// A verdict is Deadlock only when a wait can not end whatever the running ranks still do (runtime's wait graph, see
// watchdog.h); a rank that computes for long is Slow and never a deadlock.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "runtime/group/call.h"

namespace ranklint::runtime {

enum class VerdictKind : uint8_t {
  Ok,           // every rank finished
  Mismatch,     // members of one group disagree about their k-th call
  Deadlock,     // a circle of waits, or a wait for a rank that has gone
  PeerExited,   // ranks wait for one whose body has returned, or have left an operation that only it could meet
  PeerThrew,    // ranks wait for one whose body threw
  BufferReuse,  // a tensor was changed while an operation held it
  Timeout,      // a deadline passed
};

std::string_view name_of(VerdictKind kind);  // "deadlock", ...

enum class RankPhase : uint8_t { Running, Waiting, Finished, Threw };

struct RankState {
  int rank = 0;  // global
  RankPhase phase = RankPhase::Running;
  // While Waiting (and for a Mismatch: the call it made). Of a rank that has Finished the first operation that it has
  // left unmet, if it waits for anybody:
  OpType op = OpType::Barrier;
  std::string group{};
  uint64_t sequence = 0;
  std::string detail{};  // what the signature says: "float32[4], root 0", ...
  Site site{};
  std::string implicit_in{};
  std::vector<int> waits_for{};  // global ranks that have not come
  std::string error{};           // Threw: what
};

// What the members of a group differ in, by their calls.
struct Disagreement {
  struct Call {
    int rank = 0;  // global
    uint64_t sequence = 0;
  };
  std::string about{};  // "operation", "element type", "count", ...
  uint64_t group = 0;   // its number
  bool of_messages = false;
  std::vector<Call> calls{};
};

struct Verdict {
  VerdictKind kind = VerdictKind::Ok;
  std::string message{};                       // one sentence: which ranks, which group, which calls
  std::vector<RankState> ranks{};              // every rank, by number
  std::vector<int> odd_ranks{};                // Mismatch with a majority: who differs; else whom the others wait for
  std::optional<Disagreement> disagreement{};  // of a Mismatch

  // {"verdict", "message", "odd_ranks", "ranks": [{"rank", "state", "op", "group", "sequence", "detail", "site":
  // "file:line", "implicit_in", "waits_for", "error"}]}; keys that do not apply are left out; file without its folders.
  std::string to_json() const;
  std::string to_text() const;  // a line per rank, for people
};

}  // namespace ranklint::runtime
