// What is known about distributed tensors and where they come from, for the rules of the dtensor pack.
#pragma once

#include <string>
#include <vector>

#include "analyzer/summary/summary.h"

namespace ranklint {

// A tensor that is distributed from one rank although every rank of the mesh has it.
struct Distribution {
  enum class Held { ReadByEveryRank, Broadcast };
  FunctionKey function;        // that calls what distributes
  SourceRange range;
  std::string called;          // as it is called there: "distribute_tensor", "dtensor_factory"
  SourceRange copied;          // the copy_ that takes the result; unknown: none does
  bool own_placements = false; // the placements are those of a tensor, not written out
  Held held = Held::ReadByEveryRank;
  FunctionKey held_in;         // where it was read or broadcast
  SourceRange held_at;
  FunctionKey passed_by;       // who hands the function over that distributes; invalid: nobody, it is called by its name
  SourceRange passed_at;
  Certainty certainty = Certainty::Likely;
};

struct TensorFacts {
  std::vector<Distribution> distributions;
};

}  // namespace ranklint
