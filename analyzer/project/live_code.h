// Which functions something in the project may run, by names alone:
//
//     def sync_by_hand(model): ...         # of a file that others import, and nothing reads `sync_by_hand`, or only
//                                          # what nothing runs either
//
// The top level of every file runs, and so does what is named there, and what that names. A name counts for each
// function that has it, also where it is a text. As run counts, too:
//   - what Python or a library calls by itself: a method like `__init__`, one of a class with a base outside of the
//     project that other code names, what a decorator may keep;
//   - what is for others: the functions of a file that is no program and that nothing imports, of a test, of a package
//     that can be installed or that no file outside of it imports;
//   - what may be looked up by a text that the program puts together (`import_module(name)`, `eval(name)`).
#pragma once

#include <set>

#include "analyzer/program/program.h"

namespace ranklint {

class LiveCode {
 public:
  explicit LiveCode(const Program& program);

  // False: nothing is seen to run it.
  bool reaches(FunctionKey f) const;

 private:
  class Search;

  const Program& program_;
  size_t seen_ = 0;             // functions; what an edit adds has no caller yet
  std::set<FunctionKey> live_;  // outermost ones
};

}  // namespace ranklint
