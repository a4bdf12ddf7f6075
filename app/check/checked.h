// A check up to its output: settings, sources, models, analysis, rules, suppressions. Shared by
// `check`, `baseline` and the other commands that need findings.
#pragma once

#include <chrono>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/check/analysis_record.h"
#include "app/check/engine.h"
#include "app/check/io.h"
#include "app/check/options.h"
#include "app/check/settings.h"
#include "app/check/sources.h"
#include "app/suppress/suppress.h"

namespace ranklint::app {

struct CheckRun {
  const CheckOptions& options;
  Io& io;
  const Engine& engine;
  Settings settings;
  Overlay overlay = {};
  std::chrono::steady_clock::time_point start = std::chrono::steady_clock::now();
};

// Reads the configuration and the rules it names, then runs `body`. An error in them is reported, with status 2.
int with_run(const CheckOptions& options, Io& io, const Engine& engine, const std::function<int(CheckRun&)>& body);

struct Checked {
  SuppressionResult judged = {};           // what may be reported, sorted, and what comments suppress
  std::vector<Finding> hidden = {};        // below the thresholds
  std::vector<std::string> reported = {};  // the files that were checked, sorted
  std::vector<std::string> silent = {};    // those that were read besides, to know what is called, sorted
  std::vector<SourceProblem> problems = {};
  std::vector<UnreadSource> unread = {};  // files to report on of which nothing was read
  bool is_import_limited = false;         // more is imported than kMostImported files
  AnalysisRecord analysis = {};
  std::shared_ptr<SourceTexts> texts;  // never null
};

Result<Checked> check_sources(const CheckRun& run);

}  // namespace ranklint::app
