// Functions that never return: each way through them raises, or ends the process, itself or in what it calls.
//
//     def fail(message):
//         log(message)
//         raise RuntimeError(message)
//
// A call of one ends the caller's way as a `raise` there does. A method that raises so that derived classes replace it
// says nothing, nor does a loop that has no end.
#pragma once

#include "analyzer/interp/interpreter.h"
#include "analyzer/interp/sites.h"

namespace ranklint {

class Endings {
 public:
  Endings(Interpreter& maker, const SitesOfFunctions& sites) : maker_(maker), in_(maker.query()), sites_(sites) {}

  // Says of each function to check what it ends (Summary::ending).
  void find();
  // What the call ends, whichever of its targets it enters.
  Ending of(const SummarySite& site) const;

 private:
  bool update(FunctionKey f);
  Ending of_block(const Summary& s, ir::BlockId block) const;
  bool is_for_derived(FunctionKey method) const;
  bool is_all_there_is(FunctionKey key) const;

  Interpreter& maker_;
  const Query& in_;
  const SitesOfFunctions& sites_;
};

}  // namespace ranklint
