// Walks of two ranks through one function along one group that found them in order, by what the two were asked there.
//
// All that tells two ranks apart in a walk is what is left of the terms that it asks for. So two others of which the
// same is left of each of these terms go the same way, whichever world they are in, and need not be walked with.
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
