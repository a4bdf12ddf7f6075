// What was decided on a path: the conditions that were undecided, and what each was taken to be.
//
// What is decided answers other questions: parts of conjunctions and disjunctions, the opposite comparison, bounds of
// one number. Solving for more than that is left to satisfiable.h.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <utility>
#include <vector>

#include "analyzer/variance/values.h"

namespace ranklint {

// Decisions taken on a path: terms and what was chosen. Sorted by term.
class PathCondition {
 public:
  // What the term is, given the choices so far; looks through not, and, or.
  ValueStore::Truth decide(const ValueStore& values, ValueId term) const;
  // What is left of the term to be chosen: parts of conjunctions and disjunctions that are known do not count.
  ValueId undecided_part(ValueStore& values, ValueId term) const;
  // The term with each choice in it that the choices so far decide: `agreed if size > 1 else own` below `if size > 1`.
  ValueId simplify(ValueStore& values, ValueId term) const;
  // Adds what was decided, and what follows from it.
  void assume(const ValueStore& values, ValueId given, bool value);
  uint64_t hash() const;
  // Whether all of the other was decided as well.
  bool includes(const PathCondition& other) const;
  // Two paths that decide one choice differently and all else alike, after they have joined: what is left decided, and
  // the choice, as the first has it. Nothing: they differ in more than that.
  struct Joined;
  static std::optional<Joined> join(const ValueStore& values, const PathCondition& first, const PathCondition& second);
  const std::vector<std::pair<ValueId, bool>>& all() const { return all_; }

 private:
  ValueStore::Truth decide(const ValueStore& values, ValueId given, int& budget) const;
  ValueId undecided_part(ValueStore& values, ValueId term, std::map<ValueId, ValueId>& known) const;
  void conclude(const ValueStore& values);

  std::vector<std::pair<ValueId, bool>> all_;
};

struct PathCondition::Joined {
  PathCondition left;
  ValueId choice;
  bool holds = false;
};

}  // namespace ranklint
