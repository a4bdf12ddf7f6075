// Calls of a function that is handed over: `load(..., factory=distribute_tensor)` calls it as `factory(...)`, three
// calls further down and perhaps out of a closure.
#pragma once

#include <functional>
#include <vector>

#include "analyzer/questions/code.h"
#include "analyzer/summary/query.h"

namespace ranklint {

// One function on the way from an outer call to the one that matters.
struct Link {
  FunctionKey function;
  ProgramPoint call;          // the call in it that leads on
  bool has_receiver = false;  // whether that call has an object as its first argument
};

class Callers {
 public:
  explicit Callers(const Query& query);

  struct Caller {
    Link link;
    const Step* step = nullptr;
    Target target;
  };
  // Functions that call the function by its name, at most a few.
  const std::vector<Caller>& of(FunctionKey f) const;

  // `found` is given the way from the function that hands over a value for which `wanted` holds, to one that calls it,
  // and that call in the terms of the former.
  using Found = std::function<void(const std::vector<Link>& way, const Call& call, SourceRange handed_over)>;
  void each_handed_over(const std::function<bool(ValueId)>& wanted, const Found& found);

 private:
  void descend(const Call& call, const std::vector<Link>& way, const std::function<bool(ValueId)>& wanted,
               const Found& found, SourceRange handed_over);

  const Query& in_;
  std::map<FunctionKey, std::vector<Caller>> callers_;
  std::set<std::pair<FunctionKey, FunctionKey>> visited_;  // caller and callee
};

}  // namespace ranklint
