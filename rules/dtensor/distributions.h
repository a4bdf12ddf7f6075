// Tensors that every rank has and that are distributed from one rank all the same. Two rules of the pack report them.
#pragma once

#include <string>
#include <vector>

#include "analyzer/summary/query.h"

namespace ranklint {

// How every rank got the tensor.
struct TensorSource {
  enum class Kind { ReadByEveryRank, Broadcast };
  Kind kind = Kind::ReadByEveryRank;
  FunctionKey function;
  SourceRange range;
};

// A tensor that is distributed from one rank although every rank of the mesh has it.
struct Distribution {
  FunctionKey function;  // that calls what distributes
  SourceRange range;
  std::string called;           // as it is called there: "distribute_tensor", "dtensor_factory"
  SourceRange copied;           // the copy_ that takes the result; unknown: none does
  bool own_placements = false;  // the placements are those of a tensor, not written out
  TensorSource source;
  FunctionKey passed_by;  // passes on the function that distributes; invalid: it is called by its name
  SourceRange passed_at;
  Assurance certainty = Confidence::Likely;
};

std::vector<Distribution> distributions(const Query& in);

}  // namespace ranklint
