// What the analysis found out, for the rules to judge and to word.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "analyzer/execution/mismatch.h"
#include "analyzer/summary/summary.h"

namespace ranklint {

namespace worlds {
struct Verdict;  // analyzer/worlds/problem.h
}
class CallBook;      // analyzer/questions/calls.h
struct TensorFacts;  // analyzer/compare/tensor_facts.h

// A loop around communication in an order that ranks need not share.
struct UnorderedLoop {
  FunctionKey function;
  SourceRange range;
  SourceRange collective;  // in the loop: the call or the collective
  std::string source;      // "set", "os.listdir"
  FunctionKey made_in;     // where the order was lost; invalid: in the loop's own line, or unknown
  SourceRange made;
  std::string callee;  // `range` is a call that hands the collection to this function; empty: a loop
  std::string op, group;
  Assurance certainty = Certainty::Likely;
};

// A collective in code that runs when the interpreter or another thread likes.
struct DetachedCollective {
  FunctionKey function;
  SourceRange range;
  std::string where;  // "`__del__`", "a signal handler"
  std::string op, group;
  Assurance certainty = Certainty::Likely;
};

// An asynchronous collective whose handle is lost, or whose buffer is used before the wait.
struct LooseHandle {
  enum class What { Dropped, NeverWaited, Overwritten, LeftOnAPath, Touched };
  What what = What::Dropped;
  FunctionKey function;
  SourceRange range;  // Touched: what uses the buffer; else the call
  SourceRange start;  // the call
  std::string op, group;
  Assurance certainty = Certainty::Likely;
};

// A failure of one rank after which it has skipped a collective that the others wait in, or issued one alone.
struct SwallowedFailure {
  enum class Kind { Skipped, InHandler, Raised };
  Kind kind = Kind::Skipped;  // InHandler: the handler issues the collective; Raised: under a guard on the rank
  FunctionKey function;
  SourceRange range;       // where the handler begins; Raised: the raise, or the exit
  SourceRange guard;       // Raised: the condition on the rank
  SourceRange failure;     // what fails; Raised: the raise
  SourceRange collective;  // what is skipped or issued alone: the collective, or the call that leads to it
  std::string reason;      // Raised: what the rank has looked at, "file system"; empty: an exception that it has caught
  bool exits = false;      // Raised: ends its process instead of raising
  std::string op, group;
  Assurance certainty = Certainty::Likely;
};

// Where some ranks alone ask a framework's training loop to stop.
struct LoneStop {
  FunctionKey function;
  SourceRange range;  // the assignment
};

// A call that only some ranks make, takes a group, and of which nothing is known.
struct UnknownCallee {
  FunctionKey function;
  SourceRange range, guard;
  std::string callee;
};

// A guard on a rank around communication on a group that does not span what it asks for.
struct UniformGuard {
  FunctionKey function;
  SourceRange guard, range;  // the condition; the first call or collective that it decides about
  std::string axes;          // that it asks for
  std::string op, group;
  Assurance certainty = Certainty::Certain;
};

// A generator that communicates, which ranks do not resume equally often.
struct LeftGenerator {
  FunctionKey function;
  SourceRange range, guard;  // the loop that some leave, or the call of next; where they part
  bool at_next = false;
  std::string op, group;
  Assurance certainty = Certainty::Likely;
};

// A collective issued by ranks that are not in its group.
struct Outsider {
  enum class What { NotListed, NoGroup };
  What what = What::NotListed;  // NoGroup: it is None there, which means the world
  FunctionKey function;
  SourceRange range;
  std::string op, group;
  uint32_t rank = 0;    // one of them, in a world of few ranks
  std::string members;  // NotListed: "0, 1"
  Assurance certainty = Certainty::Likely;
};

// A place that cuts by a number of ranks which nothing makes a divisor.
struct SizeHazard {
  enum class What { UnpaddedChunk, UncheckedHeads, UncheckedDegrees, DegreesDiffer };
  What what = What::UnpaddedChunk;
  FunctionKey function;
  SourceRange range, other;  // the cut; UnpaddedChunk: the gather that takes the pieces for equal
  std::string subject;       // the tensor, the divisor, or the degree that is left out
  Assurance certainty = Certainty::Likely;
};

struct Facts {
  const ProjectIndex* index = nullptr;
  std::shared_ptr<const ProjectIndex> owner;
  std::vector<bool> reported;  // per module: whether findings in it are wanted
  ModuleKey checked_before;  // an edited file as it was when all were checked, which is told apart from what it is now;
                             // invalid: none
  std::vector<Mismatch> mismatches;
  std::vector<DivergentArgument> divergent_arguments;
  std::vector<UnorderedLoop> unordered_loops;
  std::vector<DetachedCollective> detached;
  std::vector<LooseHandle> loose_handles;
  std::vector<SwallowedFailure> swallowed_failures;
  std::vector<LoneStop> lone_stops;
  std::vector<UnknownCallee> unknown_callees;
  std::vector<UniformGuard> uniform_guards;
  std::vector<LeftGenerator> left_generators;
  std::vector<Outsider> outsiders;
  std::vector<SizeHazard> size_hazards;
  std::vector<std::shared_ptr<const worlds::Verdict>> runs;  // of the MPI programs among the files, by path
  std::shared_ptr<const CallBook> calls;                     // those that rules ask for; never null behind analyze()
  std::shared_ptr<const TensorFacts> tensors;                // likewise
};

}  // namespace ranklint
