#include "analyzer/project/project.h"

#include <algorithm>

#include "analyzer/project/lowering.h"
#include "analyzer/project/session.h"

namespace ranklint {

Analysis analyze(std::vector<SourceFile> files, const Models& models, const Frontend& frontend,
                 const AnalysisOptions& options) {
  std::sort(files.begin(), files.end(), [](const SourceFile& a, const SourceFile& b) { return a.path < b.path; });
  Lowered lowered = lower_all(files, models, frontend, options, Headers::Once);
  std::vector<LoweredFile> read;
  read.reserve(files.size());
  for (size_t i = 0; i < files.size(); ++i)
    read.push_back({.path = files[i].path,
                    .reported = files[i].reported,
                    .modules = std::move(lowered[i].modules),
                    .program = std::move(lowered[i].program),
                    .broken = std::move(lowered[i].broken)});
  files.clear();
  return check_all(std::move(read), models, options);
}

Analysis check_all(std::vector<LoweredFile> files, const Models& models, const AnalysisOptions& options) {
  return Session(std::move(files), models, options).analysis();
}

}  // namespace ranklint
