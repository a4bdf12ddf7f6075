// From the summary of one function to where its ranks diverge: each group that it uses, each pair of rank classes.
#pragma once

#include <functional>
#include <vector>

#include "analyzer/execution/mismatch.h"
#include "analyzer/product/pending_mismatches.h"

namespace ranklint {

struct FunctionCheckOptions {
  bool replays = false;                      // what is found is to say what every rank does, for a run
  bool may_go_far = true;                    // not where all functions together have visited too many positions by now
  std::function<bool(FunctionKey)> is_open;  // PendingMismatches::is_open, of functions of lower levels
};

// Plain data: it holds no terms of the query.
struct CheckedFunction {
  FoundInFunction found;
  std::vector<DivergentArgument> arguments = {};
  size_t states = 0;  // pairs of positions that were visited
};

// Asks `in` alone, which may lie over another query, and changes nothing else.
CheckedFunction check_function(const Query& in, const Summary& summary, const WorldNeeds& needs,
                               const FunctionCheckOptions& options);

// False: nothing can be found in it.
bool needs_check(const ProjectIndex& index, const Summary& summary);

}  // namespace ranklint
