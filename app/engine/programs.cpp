#include "app/engine/programs.h"

#include <algorithm>

#include "analyzer/project/small_worlds.h"
#include "app/engine/frontends.h"

namespace ranklint::app {

namespace {

// Reading a file once more is only worth it where it can be a program.
bool may_be_program(const SourceFile& file) {
  return language_of(file.path) == Language::Cpp && file.bytes.find("MPI_") != std::string::npos && file.bytes.find("main") != std::string::npos;
}

}  // namespace

Analysis analyze_and_run(std::vector<SourceFile> files, const Models& models, const Frontend& frontend, const AnalysisOptions& options) {
  std::vector<SourceFile> candidates;
  std::copy_if(files.begin(), files.end(), std::back_inserter(candidates), may_be_program);
  std::sort(candidates.begin(), candidates.end(), [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  Analysis analysis = ranklint::analyze(std::move(files), models, frontend, options);
  std::vector<std::shared_ptr<const machine::Program>> programs;
  for (const SourceFile& file : candidates)
    if (auto program = program_of(file.path, file.bytes)) programs.push_back(std::move(program));
  run_small_worlds(programs, analysis);
  return analysis;
}

}  // namespace ranklint::app
