// What is kept of an analysis when it is over: plain data, all that reports are made of.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "analyzer/project/project.h"
#include "analyzer/summary/incomplete.h"
#include "app/check/engine.h"
#include "app/report/report.h"
#include "rules/finding.h"

namespace ranklint::app {

struct AnalysisRecord {
  std::vector<Finding> findings;     // of all rules that looked, in report order; nothing is hidden yet
  std::vector<FileNotes> files;      // sorted by path
  std::vector<std::string> headers;  // files that were read with others, by their shown paths, sorted
  uint64_t function_count = 0;
  uint64_t communicating_function_count = 0;
  uint64_t unresolved_call_count = 0;
  std::vector<IncompleteFunction> incomplete;  // by path and line
  std::vector<BrokenPiece> broken;
  uint64_t program_count = 0;                // MPI programs that were run
  std::vector<TruncatedRun> truncated_runs;  // those of them that were not run to their end, by path
  bool is_repeatable = true;                 // Analysis::is_repeatable, and no bug of ours showed
};

// `found` are the findings of the analysis.
AnalysisRecord record_of(Analysis analysis, std::vector<Finding> found);

}  // namespace ranklint::app
