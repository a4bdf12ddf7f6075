// What parts two classes of ranks: where each arrives, and how it came there.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analyzer/execution/replay.h"
#include "analyzer/mesh/rank_set.h"
#include "analyzer/summary/summary.h"
#include "analyzer/variance/local_source.h"

namespace ranklint {

// One thing that ranks of a class do, for the witness.
struct PathStep {
  enum class Kind { Branch, Call, Collective, Exit };
  // Of a branch: which side is taken, of a loop whether it goes on. Of an exit: how; `End` is that of the function.
  enum class Outcome : uint8_t { None, True, False, NextRound, Done, Return, End, Raise, ExitProcess, Break, Continue };
  Kind kind = Kind::Call;
  FunctionKey function;  // in which it happens
  SourceRange range;
  int nesting = 0;                  // calls below the function where the ranks diverge
  Outcome outcome = Outcome::None;  // Branch, Exit
  std::string what;                 // Call: the callee's name; Collective: op
  std::string group;                // Collective
};

// What a class of ranks arrives at: a collective on the group, or the end.
struct Arrival {
  bool at_collective = false;
  std::string op;
  ModelAbout about = ModelAbout::Communication;
  std::string called;       // the last part of the name of the function that makes it
  bool if_sharded = false;  // it communicates only where the model is sharded
  bool creates_group = false;
  bool in_generator = false;    // it is reached by resuming a generator
  bool warms_up = false;        // by a function that is there to set a communicator up before it is needed
  std::vector<PathStep> steps;  // from where the ranks diverge; the last is the arrival itself
  RankName ranks;               // "rank 0", "every rank but 0"
  RankName beside;              // the same where the other class has been named: "the other ranks"
  bool by_rounds = false;       // nothing names them but how often their loop goes round
  uint32_t rank = 0;            // a rank of the class in the small world
};

// A value that one rank alone sees, by where it is seen: several branches may ask for it. Invalid: none in particular.
struct SeenAt {
  Site site;
  uint32_t path = 0;  // of the calls that lead there
  bool operator==(const SeenAt&) const = default;
};

// Where the sequences of two rank classes on one group part.
struct Mismatch {
  enum class Cause {
    RankBranch,
    RankLoop,
    LocalBranch,
    LocalLoop,
    RootDiffers,
    ReduceOpDiffers,
    MembersDiffer,
    SizeDiffers,   // of tensors
    CountDiffers,  // of elements, and their type: C's way
    TypeDiffers,
    GroupsCross
  };
  Cause cause = Cause::RankBranch;
  Assurance certainty = Confidence::Certain;
  FunctionKey function;                          // where the ranks diverge
  SourceRange guard;                             // the condition, or the call whose guard it is
  LocalSource local_source = LocalSource::None;  // LocalBranch: what one rank alone sees
  std::string local_reason;                      // the same for people: "clock", "file system"
  SeenAt flag;                                   // LocalBranch: what the condition is, and nothing else
  std::string guard_axes;                        // along which the condition varies
  std::string group;                             // the group whose sequence is broken: "sp"
  Arrival first, second;                         // `first` waits at a collective
  std::string first_argument, second_argument;   // RootDiffers, ...: what each gives; `second` stands where it does so
  bool left_early = false;        // the second class left before the collective (return, raise, continue, break)
  SourceRange exit;               // where
  bool inside_other_arm = false;  // both classes communicate between the guard and where the sides meet
  FunctionKey handed_over_by;     // passes the rank-dependent value on which they diverge in a callee
  SourceRange handed_over_at;
  std::shared_ptr<const Replay> replay;  // null: not asked for
};

// A group that is made from a list of ranks which must be equal on all ranks and is not.
struct DivergentArgument {
  Assurance certainty = Confidence::Certain;
  FunctionKey function;
  SourceRange range;
  std::string op, group;
  std::shared_ptr<const Replay> replay;  // null: not asked for
};

}  // namespace ranklint
