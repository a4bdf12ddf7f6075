// Tensors whose size is each rank's own.
#pragma once

#include <string>
#include <vector>

#include "analyzer/summary/query.h"

namespace ranklint::divergent_shape {

// A collective that needs one size on all ranks, given a tensor of which each rank has as many elements as its data
// say.
struct OwnSize {
  enum class By : uint8_t {
    Selection,   // as many elements of the rank's own data as pass a test
    Generation,  // as many tokens as a model has generated
    Share,       // as many elements as are in the rank's share of something
  };
  By by = By::Selection;
  FunctionKey function;
  SourceRange range;    // of the collective
  std::string op;       // of the model: "all_gather"
  std::string name;     // the variable that it is given; empty: what it is given has no name
  SourceRange made_at;  // where the elements were picked, or the tokens generated
  Assurance certainty = Confidence::Likely;
};

std::vector<OwnSize> own_sizes(const Query& in);

}  // namespace ranklint::divergent_shape
