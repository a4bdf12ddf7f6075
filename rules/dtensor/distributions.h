// Where tensors are distributed from one rank that every rank has: two rules of the pack speak of it.
#pragma once

#include <string>
#include <vector>

#include "analyzer/summary/query.h"

namespace ranklint {

// A tensor that is distributed from one rank although every rank of the mesh has it.
struct Distribution {
  enum class Held { ReadByEveryRank, Broadcast };
  FunctionKey function;  // that calls what distributes
  SourceRange range;
  std::string called;           // as it is called there: "distribute_tensor", "dtensor_factory"
  SourceRange copied;           // the copy_ that takes the result; unknown: none does
  bool own_placements = false;  // the placements are those of a tensor, not written out
  Held held = Held::ReadByEveryRank;
  FunctionKey held_in;  // where it was read or broadcast
  SourceRange held_at;
  FunctionKey passed_by;  // who hands the function over that distributes; invalid: nobody, it is called by its name
  SourceRange passed_at;
  Assurance certainty = Confidence::Likely;
};

std::vector<Distribution> distributions(const Query& in);

}  // namespace ranklint
