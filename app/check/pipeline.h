// From an analysis to findings that may be reported: of the rules that are on for their files, with the run's notes
// on the files themselves, and without what comments suppress. The command line and the language server share it.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "app/check/engine.h"
#include "app/check/settings.h"
#include "app/check/sources.h"
#include "app/suppress/suppress.h"

namespace ranklint::app {

// The built-in models and those that the settings name.
Result<Models> load_models(const Engine& engine, const Settings& settings);

struct PipelineInput {
  const Engine& engine;
  const Settings& settings;
  std::span<const SourceProblem> problems;
  std::vector<std::string> silent;  // files read for resolution only, sorted
  std::function<std::string_view(const std::string& path)> source;
};

// What is to be looked for: the rules that are on, at least for some files.
std::vector<Pass> passes_for(const Engine& engine, const Settings& settings);

// Of what the rules found and of the notes on all files. Not sorted, and what lies below the settings' thresholds is
// still there.
SuppressionResult findings_to_show(std::vector<Finding> found, std::vector<FileNotes> files,
                                   const PipelineInput& input);

// Whether the finding is severe and sure enough to be reported.
bool is_reported(const Finding& finding, const Settings& settings);

// By path, range, code. Of several that say the same of one place, as of instances of a template, the surest is left.
void sort_findings(std::vector<Finding>& findings);

}  // namespace ranklint::app
