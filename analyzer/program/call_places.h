// The calls that name a function of the project: it, its class, or a method of an object that the text shows the class
// of. There may be others, by way of a variable.
#pragma once

#include <map>
#include <span>
#include <vector>

#include "analyzer/resolve/index.h"

namespace ranklint {

struct CallPlace {
  FunctionKey within;
  ir::BlockId block;
  uint32_t instruction = 0;
};

class CallPlaces {
 public:
  explicit CallPlaces(const ProjectIndex& index);

  std::span<const CallPlace> of(FunctionKey f) const;

 private:
  std::map<FunctionKey, std::vector<CallPlace>> of_;
};

}  // namespace ranklint
