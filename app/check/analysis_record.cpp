#include "app/check/analysis_record.h"

#include <algorithm>

#include "analyzer/mpi_check/problem.h"
#include "analyzer/project/shared.h"
#include "analyzer/resolve/index.h"

namespace ranklint::app {

namespace {

std::vector<TruncatedRun> truncated_runs(const Shared& shared) {
  std::vector<TruncatedRun> out;
  for (const auto& run : shared.runs)
    if (!run->lost_because.empty() && !run->reached.empty())  // `main` is reached first
      out.push_back({.path = run->reached.front().file, .why = run->lost_because});
  return out;
}

// The modules that are none of the files.
std::vector<std::string> headers_of(const ProjectIndex& index, std::span<const FileNotes> files) {
  std::vector<std::string> headers;
  for (const ir::Module& module : index.modules()) {
    const auto file = std::lower_bound(files.begin(), files.end(), module.path,
                                       [](const FileNotes& f, const std::string& path) { return f.path < path; });
    if (file == files.end() || file->path != module.path) headers.push_back(module.path);
  }
  std::sort(headers.begin(), headers.end());
  headers.erase(std::unique(headers.begin(), headers.end()), headers.end());
  return headers;
}

}  // namespace

AnalysisRecord record_of(Analysis analysis, std::vector<Finding> found) {
  const bool is_repeatable = analysis.is_repeatable && analysis.broken.empty();
  AnalysisRecord record{.findings = std::move(found),
                        .files = std::move(analysis.files),
                        .headers = {},
                        .function_count = analysis.function_count,
                        .communicating_function_count = analysis.communicating_function_count,
                        .unresolved_call_count = analysis.unresolved_call_count,
                        .incomplete = std::move(analysis.incomplete),
                        .broken = std::move(analysis.broken),
                        .truncated_runs = {},
                        .is_repeatable = is_repeatable};
  if (!analysis.shared) return record;
  if (analysis.shared->index != nullptr) record.headers = headers_of(*analysis.shared->index, record.files);
  record.program_count = analysis.shared->runs.size();
  record.truncated_runs = truncated_runs(*analysis.shared);
  return record;
}

}  // namespace ranklint::app
