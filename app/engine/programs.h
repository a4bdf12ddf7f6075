// The whole of a check: what functions do, and what programs do that have a `main`.
#pragma once

#include "analyzer/project/project.h"

namespace ranklint::app {

// analyze(), and runs of the MPI programs among the files.
Analysis analyze_and_run(std::vector<SourceFile> files, const Models& models, const Frontend& frontend, const AnalysisOptions& options);

}  // namespace ranklint::app
