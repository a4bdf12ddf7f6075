// From summaries to where ranks diverge: every function that communicates, on as many threads as there are.
#pragma once

#include <memory>
#include <vector>

#include "analyzer/execution/mismatch.h"
#include "analyzer/product/check_order.h"
#include "analyzer/product/pending_mismatches.h"
#include "analyzer/summary/query.h"

namespace ranklint {

struct CheckedFunction;

// Where ranks do not do the same.
struct Disagreements {
  std::vector<Mismatch> mismatches;
  std::vector<DivergentArgument> arguments;
};

struct DivergenceCheckOptions {
  bool replays = false;  // each mismatch is to say what every rank does, for a run
  unsigned threads = 1;
};

// Runs every comparison over the functions to check, and collects what it found, in a fixed order that does not depend
// on the threads. It remembers what it learned of them, for callers among those that it is run over next. What went
// wrong on the way, and how much work it was, is added to the query's notes.
class DivergenceCheck {
 public:
  DivergenceCheck(const Query& query, const DivergenceCheckOptions& options);
  Disagreements run();

 private:
  void check_level(const std::vector<CheckOrder::Entry>& order, const std::vector<size_t>& level, size_t& states,
                   std::vector<std::unique_ptr<CheckedFunction>>& checked);

  const Query& in_;
  DivergenceCheckOptions options_;
  CheckOrder order_;
  PendingMismatches kept_;
};

}  // namespace ranklint
