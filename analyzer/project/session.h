// A check that is kept, so that one file can be judged anew without the others.
//
// Nearly all that a check does for one file is to run and compare functions of other files, which an edit of this one
// leaves as they were. So the terms, summaries and comparisons of a check stay where they are, and an edited file comes
// to them as a guest: a module behind all others that sees the project, and that is seen by nobody but whom it calls
// (ProjectIndex::add_guest). Only its own functions are run and judged, which takes about as long as the file is large.
//
// What is found so is what a check of all would find in the file as far as that follows from the file and from what it
// calls. What follows from its callers does not: a caller may make good what a function leaves open, or hand it a value
// on which ranks differ. Who shows the result knows the whole check's findings and what `judge_again` says of the file
// as it was then: the difference is what the callers bring.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "analyzer/project/lowering.h"

namespace ranklint {

class Session {
 public:
  // `models` must live as long as the session.
  Session(std::vector<LoweredFile> files, const Models& models, const AnalysisOptions& options);
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  // Of all files.
  const Analysis& analysis() const { return analysis_; }

  // Of the file of the module's path alone, as the module has it. Nothing: the file is new or not one of a language whose
  // files stand for themselves, or there have been so many that memory runs short; then all have to be checked again. The
  // facts speak of the session's index: they are good until it is asked the next time.
  std::optional<Analysis> judge_again(ir::Module module, bool reported);

 private:
  struct State;
  bool has_room() const;

  const Models& models_;
  Analysis analysis_;
  std::unique_ptr<State> state_;
};

}  // namespace ranklint
