// Between the files and the analysis: reading files (which of them, in which order, on how many threads), and judging
// what was read.
#pragma once

#include <string>
#include <vector>

#include "analyzer/project/project.h"

namespace ranklint {

using Lowered = std::vector<LoweredSource>;  // by file

// Whether a function of a header stays with every file that includes it, for callers that may exchange files one by
// one, or with the first alone.
enum class Headers { EveryTime, Once };

Lowered lower_all(const std::vector<SourceFile>& files, const Models& models, const Frontend& frontend,
                  const AnalysisOptions& options, Headers headers);

struct LoweredFile {
  std::string path;
  bool reported = true;
  std::vector<ir::Module> modules;  // its own first
  std::shared_ptr<const machine::Program> program = {};
  std::string broken = {};  // LoweredSource::broken
};

// What the frontend makes of a file; a file without code where a bug of ours keeps it from being read.
LoweredSource lower_contained(const Frontend& frontend, const SourceFile& file);

// `files` by path.
Analysis check_all(std::vector<LoweredFile> files, const Models& models, const AnalysisOptions& options);

}  // namespace ranklint
