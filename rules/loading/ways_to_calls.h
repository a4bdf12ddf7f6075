// The calls of the project's own functions that lead to calls that a rule watches for ("...<writes-file>"), by the
// function that they call.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <vector>

#include "analyzer/summary/query.h"

namespace ranklint {

struct WayToCall {
  Site site;
  const WatchedCall* call = nullptr;
  Target target;
};

class WaysToCalls {
 public:
  explicit WaysToCalls(const Query& in) : in_(in) {}

  // In the order of their places.
  std::span<const WayToCall> to(FunctionKey f) const;

 private:
  const Query& in_;
  mutable std::optional<std::map<FunctionKey, std::vector<WayToCall>>> by_callee_;  // once they are asked for
};

}  // namespace ranklint
