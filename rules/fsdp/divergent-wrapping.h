// What makes ranks wrap different models (RL402).
#pragma once

#include <string>
#include <vector>

#include "analyzer/summary/query.h"

namespace ranklint::divergent_wrapping {

// Some ranks alone say which parameters of a model are trained, and all wrap it.
struct ChangedModel {
  FunctionKey function;
  SourceRange change, guard, wrap;
  std::string wrapper;  // what it is called
};

std::vector<ChangedModel> changed_models(const Query& in);

}  // namespace ranklint::divergent_wrapping
