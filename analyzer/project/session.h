// A check that is kept, so that one file can be checked anew without the others.
//
// Nearly all that a check does for one file is to run and compare functions of other files, which an edit of this one
// does not change. So the terms, summaries and comparisons of a check stay where they are, and an edited file is added
// to them as an overlay: a module after all others that sees the project, and that only its callees see
// (ProjectIndex::add_overlay). Only its own functions are run and checked, and of those only the ones that the edit
// affects (analyzer/project/edit.h): for the others, the functions of the file as it was checked stand in.
//
// The result is what a check of all would find in the file as far as that follows from the file and from its callees.
// What follows from its callers is missing: a caller may make good what a function leaves open, or pass it a value
// on which ranks differ. The client has the whole check's findings, and what `check_again` says of the file as it was
// then: the difference is what the callers contribute.
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

  // Checks the file of the module's path alone, as the module has it, and of it the functions that are `touched` (by
  // ir::FunctionId; empty: all): the others have their code from the file as it was checked, and so have the findings
  // their places (Shared::checked_before). Nothing: the file is new, its language has no files that stand for
  // themselves, or memory runs short after many edits; then all have to be checked again. `shared` refers to the
  // session's index: it is valid until the next call.
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
