// A check that is kept, so that one file can be judged anew without the others.
//
// Nearly all that a check does for one file is to run and compare functions of other files, which an edit of this one
// leaves as they were. So the terms, summaries and comparisons of a check stay where they are, and an edited file comes
// to them as an overlay: a module behind all others that sees the project, and that is seen by nobody but whom it calls
// (ProjectIndex::add_overlay). Only its own functions are run and judged, and of those only the ones that the edit
// touches (analyzer/project/edit.h): for the others, the functions of the file as it was checked stand in.
//
// What is found so is what a check of all would find in the file as far as that follows from the file and from what it
// calls. What follows from its callers does not: a caller may make good what a function leaves open, or hand it a value
// on which ranks differ. Who shows the result knows the whole check's findings and what `check_again` says of the file
// as it was then: the difference is what the callers bring.
#pragma once

#include <memory>
#include <optional>
#include <set>
#include <stop_token>
#include <string>
#include <vector>

#include "analyzer/project/lowering.h"
#include "analyzer/project/mpi_runs.h"

namespace ranklint {

class ProjectIndex;

class Session {
 public:
  // `models` must live as long as the session. Of a session that was asked to stop before it was done nothing can be
  // had.
  Session(std::vector<LoweredFile> files, const Models& models, const AnalysisOptions& options,
          std::stop_token stop = {});
  ~Session();
  Session(const Session&) = delete;
  Session& operator=(const Session&) = delete;

  bool is_broken_off() const { return is_broken_off_; }
  // Of all files.
  const Analysis& analysis() const { return analysis_; }

  // Of the file of the module's path alone, as the module has it; of the functions that are `touched` (by
  // ir::FunctionId; empty: of all): the others have their code from the file as it was checked, and so have the
  // findings their places (Shared::checked_before). Nothing: the file is new or not one of a language whose files stand
  // for themselves, or there have been so many that memory runs short; then all have to be checked again. What is
  // shared speaks of the session's index: it is good until that is asked the next time.
  std::optional<Analysis> check_again(ir::Module module, bool reported, std::vector<bool> touched = {});
  // The functions that were not followed to the end then, by name: what is not found in them may be there all the same.
  std::set<std::string> cut_short() const;

 private:
  struct State;
  void check(const std::shared_ptr<ProjectIndex>& index, const Programs& programs, const AnalysisOptions& options,
             const std::stop_token& stop, Shared& shared);
  bool has_room() const;

  const Models& models_;
  Analysis analysis_;
  bool is_broken_off_ = false;
  std::unique_ptr<State> state_;  // null: broken off, or a bug of ours left nothing that can be judged again
};

}  // namespace ranklint
