// Where one rank fails alone: in a handler that takes it past a collective, or by what it raises itself.
#pragma once

#include <string>
#include <vector>

#include "analyzer/questions/code.h"
#include "analyzer/summary/query.h"

namespace ranklint::exception_skips_collective {

// A failure of one rank after which it has skipped a collective that the others wait in, or issued one alone.
struct OneRankFailure {
  enum class Kind { Skipped, InHandler, Retried, Raised };
  // InHandler: the handler issues the collective; Retried: it leads back to it; Raised: under a guard on the rank
  Kind kind = Kind::Skipped;
  FunctionKey function;
  SourceRange range;       // where the handler begins; Raised: the raise, or the exit
  SourceRange guard;       // Raised: the condition on the rank; else one that asks what the handler has set, if known
  bool holds = true;       // it holds for the rank that fails
  SourceRange failure;     // what fails; Raised: the raise
  SourceRange collective;  // what is skipped or issued alone: the collective, or the call that leads to it
  std::string reason;      // Raised: what the rank has looked at, "file system"; empty: an exception that it has caught
  bool exits = false;      // Raised: ends its process instead of raising
  std::string op, group;
  Assurance certainty = Confidence::Likely;
};

// The bodies of the `except` clauses that begin with the block, in order.
std::vector<ir::BlockId> handler_bodies(const FunctionCode& code, ir::BlockId head);

std::vector<OneRankFailure> caught_on_one_rank(const Query& in);
std::vector<OneRankFailure> retried_on_one_rank(const Query& in);
std::vector<OneRankFailure> uncaught_on_one_rank(const Query& in);

}  // namespace ranklint::exception_skips_collective
