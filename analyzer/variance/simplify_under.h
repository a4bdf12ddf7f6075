// What a value is where a condition is known: within `if agreed:` the choice `a if agreed else b` is `a`.
//
// Conditionals and conditions are decided, also under arithmetic and calls of pure functions. What a loop brings is
// left alone: the condition may have been another one in another round.
#pragma once

#include <map>

#include "analyzer/variance/values.h"

namespace ranklint {

class SimplifyUnder {
 public:
  // Of a condition that holds all parts of a conjunction hold, of one that does not no part of a disjunction does.
  SimplifyUnder(ValueStore& values, ValueId condition, bool holds) : values_(values) { learn(condition, holds); }

  // Large terms stay as they are.
  ValueId simplify(ValueId v);
  // Whether another condition holds then.
  ValueStore::Truth truth(ValueId condition);

 private:
  static constexpr int kMostParts = 100;

  void learn(ValueId condition, bool holds);
  ValueId decide(ValueId condition);
  ValueId rewrite(ValueId v);

  ValueStore& values_;
  std::map<ValueId, bool> known_;
  std::map<ValueId, ValueId> done_;
  int left_ = kMostParts;
};

}  // namespace ranklint
