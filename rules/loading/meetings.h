// Whether ranks wait for each other between two places of a function: by whatever communicates there, in what is called
// as well, and by a barrier of a library that is not known, by its name.
//
// A block lies between the places if its position does, whether or not every rank passes it. So where one side of a
// branch waits, both count as waiting.
#pragma once

#include "analyzer/questions/code.h"
#include "analyzer/summary/query.h"

namespace ranklint {

class Meetings {
 public:
  explicit Meetings(const Query& in) : in_(in) {}

  bool between(const Summary& s, const Site& from, const Site& to) const;
  bool before(const Summary& s, const Site& to) const { return any(s, nullptr, &to); }
  bool after(const Summary& s, const Site& from) const { return any(s, &from, nullptr); }

 private:
  // Null: from the function's beginning, to its end.
  bool any(const Summary& s, const Site* from, const Site* to) const;
  bool calls_barrier(const FunctionCode& code, const ir::Instruction& i, int depth) const;

  const Query& in_;
};

}  // namespace ranklint
