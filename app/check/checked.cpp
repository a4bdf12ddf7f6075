#include "app/check/checked.h"

#include <algorithm>
#include <iterator>
#include <tuple>

#include "analyzer/base/deep_thread.h"
#include "app/check/pipeline.h"
#include "app/check/progress.h"
#include "app/check/result_cache.h"
#include "app/check/rule_set.h"
#include "app/files/paths.h"

namespace ranklint::app {

namespace {

AnalysisRecord analyze_sources(const CheckRun& run, Sources& sources, const Models& models, const Frontend& frontend) {
  ProgressLine line(run.io.err, run.io.err_is_terminal && !run.options.quiet);
  Analysis analysis = run.engine.analyze(std::move(sources.files), models, frontend,
                                         {.threads = run.options.threads,
                                          .watched = watched_calls(run.engine.rules),
                                          .passes = passes_for(run.engine, run.settings),
                                          .progress = [&line](size_t done, size_t all) { line.update(done, all); },
                                          .replays = run.options.verify});
  std::vector<Finding> found = run.engine.findings_of(analysis, run.engine.rules);
  return record_of(std::move(analysis), std::move(found));
}

// What an earlier check found of the same, else what the analysis finds, which takes the sources.
Result<AnalysisRecord> record_of_sources(const CheckRun& run, Sources& sources, const Models& models) {
  const ResultCache cache(run, sources, models);
  if (std::optional<AnalysisRecord> kept = cache.find()) return *std::move(kept);
  const auto observed = std::make_shared<ObservedFiles>();
  Result<Frontend> frontend = run.engine.frontend({.cwd = run.io.cwd,
                                                   .build_folder = run.settings.build_folder,
                                                   .observed = observed,
                                                   .kept = cache.sources(observed)});
  if (!frontend) return frontend.error();
  AnalysisRecord record = analyze_sources(run, sources, models, frontend.value());
  cache.keep(observed->all(), record);
  return record;
}

void tell_of_sources(const CheckRun& run, const Sources& sources) {
  if (run.options.quiet) return;
  for (const std::string& said : sources.passed_over) run.io.err << "ranklint: " << said << '\n';
  if (sources.files.empty() && sources.unread.empty() && sources.passed_over.empty())
    run.io.err << "ranklint: no files here that ranklint reads (Python, C, C++, what launches them)\n";
  if (sources.is_import_limited)
    run.io.err << "ranklint: of what these files import, the nearest " << kMostImported
               << " files were read; name the folder of the project to have all read\n";
}

// A header that is named is checked with the sources that include it, if one does.
void note_header(const std::string& path, const CheckRun& run, Checked& checked) {
  const std::string& cwd = run.settings.discovery.cwd;
  const std::vector<std::string>& headers = checked.analysis.headers;
  if (run.settings.discovery.force_exclude ||
      std::binary_search(headers.begin(), headers.end(), shown_path(absolute_path(path, cwd), cwd)))
    return;
  checked.unread.push_back(
      {path, "header", "no source that was checked brought it", "name the sources that include it", true});
}

void sort_all(SuppressionResult& judged) {
  sort_findings(judged.findings);
  std::sort(judged.suppressed.begin(), judged.suppressed.end(), [](const auto& a, const auto& b) {
    return std::tie(a.finding.primary.path, a.finding.primary.range, a.finding.code) <
           std::tie(b.finding.primary.path, b.finding.primary.range, b.finding.code);
  });
}

}  // namespace

int with_run(const CheckOptions& options, Io& io, const Engine& engine, const std::function<int(CheckRun&)>& body) {
  RuleSet set;
  const Result<Engine> own = engine_with_rules(engine, options, io, set);
  if (!own) return fail(io, own.error());
  Result<Settings> settings = settings_of(options, io, own.value().rules);
  if (!settings) return fail(io, settings.error());
  CheckRun run{.options = options, .io = io, .engine = own.value(), .settings = std::move(settings).value()};
  return body(run);
}

// Of the thread that loads the models while the files are read.
constexpr size_t kLoadingStack = size_t{8} << 20;

Result<Checked> check_sources(const CheckRun& run) {
  std::optional<Result<Models>> loaded;
  std::optional<DeepThread> loading;
  if (run.options.threads != 1) loading.emplace(kLoadingStack, [&] { loaded = load_models(run.engine, run.settings); });
  Result<Sources> read = read_sources(run.options, run.settings, run.io, run.overlay);
  if (loading) loading->join();
  if (!read) return read.error();
  Sources& sources = read.value();
  set_unreadable_aside(sources, run.engine);
  const Result<Models> models = loaded ? *std::move(loaded) : load_models(run.engine, run.settings);
  if (!models) return models.error();
  tell_of_sources(run, sources);

  Checked checked{.texts = std::make_shared<SourceTexts>(run.io.cwd)};
  const bool from_stdin = !run.options.paths.empty() && run.options.paths.front() == "-";
  for (const auto& [absolute, text] : run.overlay)
    checked.texts->keep(shown_path(absolute, run.settings.discovery.cwd), text);
  for (const SourceFile& file : sources.files) {
    (file.reported ? checked.reported : checked.silent).push_back(file.path);
    if (from_stdin && file.reported) checked.texts->keep(file.path, file.bytes);
  }
  std::sort(checked.silent.begin(), checked.silent.end());
  std::sort(checked.reported.begin(), checked.reported.end());
  Result<AnalysisRecord> record = record_of_sources(run, sources, models.value());
  if (!record) return record.error();
  checked.analysis = std::move(record).value();
  checked.judged =
      findings_to_show(std::move(checked.analysis.findings), checked.analysis.files,
                       {.engine = run.engine,
                        .settings = run.settings,
                        .problems = sources.problems,
                        .silent = checked.silent,
                        .source = [texts = checked.texts](const std::string& path) { return texts->text(path); }});
  checked.problems = std::move(sources.problems);
  checked.unread = std::move(sources.unread);
  checked.is_import_limited = sources.is_import_limited;
  for (const std::string& header : sources.headers) note_header(header, run, checked);
  std::vector<Finding>& findings = checked.judged.findings;
  const auto hidden = std::stable_partition(findings.begin(), findings.end(),
                                            [&](const Finding& f) { return is_reported(f, run.settings); });
  checked.hidden.assign(std::make_move_iterator(hidden), std::make_move_iterator(findings.end()));
  findings.erase(hidden, findings.end());
  sort_all(checked.judged);
  return checked;
}

}  // namespace ranklint::app
