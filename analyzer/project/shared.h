// What the analysis found that several rules read: made once, before any of them looks.
#pragma once

#include <memory>
#include <set>
#include <vector>

#include "analyzer/execution/mismatch.h"
#include "analyzer/messages/messages.h"
#include "analyzer/program/jobless.h"
#include "analyzer/program/launches.h"
#include "analyzer/program/script_starts.h"
#include "analyzer/project/live_code.h"
#include "analyzer/project/undefined_names.h"
#include "analyzer/questions/calls.h"
#include "analyzer/summary/summary.h"

namespace ranklint {

namespace mpi_check {
struct Verdict;  // analyzer/mpi_check/problem.h
}

struct Shared {
  // A rule that looks names up uses the index of its own query: this one is read by all threads.
  const ProjectIndex* index = nullptr;
  std::shared_ptr<const ProjectIndex> owner;
  std::vector<bool> reported;  // per module: whether findings in it are wanted
  ModuleKey checked_before;    // an edited file as it was when all were checked, which is distinct from what it is now;
                               // invalid: none
  // Null: a bug of ours showed while they were looked for.
  std::shared_ptr<const Launches> launches;
  std::shared_ptr<const JoblessPrograms> jobless;
  std::shared_ptr<const ScriptStarts> script_starts;
  std::shared_ptr<const LiveCode> live_code;
  std::shared_ptr<const UndefinedNames> undefined_names;
  std::vector<Mismatch> mismatches;
  std::vector<DivergentArgument> divergent_arguments;
  Messages messages;                                            // that ranks wait for in vain
  CallBook calls;                                               // those that rules ask for
  std::vector<std::shared_ptr<const mpi_check::Verdict>> runs;  // of the MPI programs among the files, by path
  // Functions of which such a run knows better what their ranks do than a check of each alone.
  std::set<FunctionKey> run_through;
};

}  // namespace ranklint
