// Walks of two ranks through one function along one group that found no mismatch, by the terms that they evaluated.
//
// In a walk two ranks are distinguished only by the residuals of the terms that it evaluates. So two other ranks with
// the same residual of each of these terms go the same way, in any world, and need no walk of their own.
#pragma once

#include <vector>

#include "analyzer/execution/residual.h"

namespace ranklint {

class WalksInOrder {
 public:
  // `a` and `b` have just been through one.
  void add(const Scenario& a, const Scenario& b);
  // Whether the two would go through one of them.
  bool foretell(Scenario& a, Scenario& b) const;

 private:
  using Answers = std::vector<Scenario::Answer>;
  struct Walk {
    Answers a, b;
  };
  static bool answers_alike(const Answers& known, Scenario& scenario);

  std::vector<Walk> walks_;
};

}  // namespace ranklint
