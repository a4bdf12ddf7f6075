// Between the files and the facts: reading files (which of them, in which order, on how many threads), and judging what was
// read.
#pragma once

#include <string>
#include <vector>

#include "analyzer/project/project.h"

namespace ranklint {

using Lowered = std::vector<std::vector<ir::Module>>;  // by file

Lowered lower_all(const std::vector<SourceFile>& files, const Models& models, const Frontend& frontend, const AnalysisOptions& options);

struct LoweredFile {
  std::string path;
  bool reported = true;
  std::vector<ir::Module> modules;  // its own first
};

// `files` by path.
Analysis judge_all(std::vector<LoweredFile> files, const Models& models, const AnalysisOptions& options);

}  // namespace ranklint
