// `ranklint check`, a step per line in check_command: settings, sources, models, analysis, rules, suppressions, report.
#include <algorithm>
#include <chrono>
#include <fstream>
#include <tuple>

#include "app/cli/commands.h"
#include "app/cli/judged.h"
#include "app/cli/progress.h"
#include "app/cli/rule_set.h"
#include "app/cli/run.h"
#include "app/cli/settings.h"
#include "app/cli/sources.h"
#include "app/cli/version.h"
#include "app/config/selectors.h"
#include "app/files/paths.h"
#include "app/files/read.h"
#include "app/suppress/suppress.h"

namespace ranklint::app {

namespace {

using Clock = std::chrono::steady_clock;
constexpr std::string_view kUnreadable = "unreadable-source";
constexpr std::string_view kPartial = "partial-parse";

struct Run {
  const CheckOptions& options;
  Io& io;
  const Engine& engine;
  Settings settings;
  Clock::time_point start = Clock::now();
};

Analysis analyze_sources(const Run& run, Sources& sources, const Models& models, const Frontend& frontend) {
  ProgressLine line(run.io.err, run.io.err_is_terminal && !run.options.quiet);
  return run.engine.analyze(std::move(sources.files), models, frontend,
                            {.threads = run.options.threads,
                             .watched = watched_calls(run.engine.rules),
                             .progress = [&line](size_t done, size_t all) { line.update(done, all); },
                             .replays = run.options.verify});
}

// Findings about files themselves are told apart from findings in their code.
void move_notes(std::vector<Finding>& findings, std::vector<ReportNote>& notes) {
  const auto is_note = [](const Finding& f) { return f.rule == kUnreadable || f.rule == kPartial; };
  for (const Finding& finding : findings)
    if (is_note(finding)) notes.push_back({finding.rule, finding.code, finding.severity, finding.primary, finding.message});
  std::erase_if(findings, is_note);
}

ReportInput report_input(const Run& run, SuppressionResult judged, const Analysis& analysis, size_t file_count) {
  ReportInput input;
  std::erase_if(judged.findings, [&](const Finding& f) { return !is_told(f, run.settings); });
  sort_findings(judged.findings);
  std::sort(judged.suppressed.begin(), judged.suppressed.end(), [](const auto& a, const auto& b) {
    return std::tie(a.finding.primary.path, a.finding.primary.range, a.finding.code) <
           std::tie(b.finding.primary.path, b.finding.primary.range, b.finding.code);
  });
  move_notes(judged.findings, input.notes);
  input.findings = std::move(judged.findings);
  input.suppressed = std::move(judged.suppressed);
  for (const Rule& rule : run.engine.rules)
    if (run.settings.selected(*rule.info, "")) input.rules.push_back({rule.info, run.engine.rule_page(rule.info->id)});
  input.counts.files = file_count;
  input.counts.functions = analysis.function_count;
  input.counts.unresolved_calls = analysis.unresolved_call_count;
  input.counts.communicating_functions = analysis.communicating_function_count;
  input.counts.limited_functions = analysis.limited_function_count;
  for (const FileNotes& file : analysis.files) input.counts.unknown_constructs += file.unknown_count;
  input.version = RANKLINT_VERSION;
  input.project_root = run.settings.discovery.cwd;
  input.color = run.settings.color;
  if (run.io.columns != 0) input.width = run.io.columns;
  input.statistics = run.options.statistics;
  if (run.io.out_is_terminal && run.options.output_file.empty())
    input.elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - run.start);
  return input;
}

bool is_for_people(OutputFormat format) { return format == OutputFormat::Full || format == OutputFormat::Concise; }

std::string suppressed_lines(const ReportInput& input) {
  std::string text;
  for (const SuppressedFinding& s : input.suppressed) {
    const Location& at = s.finding.primary;
    text += at.path + ":" + std::to_string(at.range.line) + ":" + std::to_string(at.range.column) + ": " +
            s.finding.code + " suppressed: " + s.finding.message;
    text += s.reason.empty() ? " (no reason given)\n" : " (" + s.reason + ")\n";
  }
  return text;
}

std::string report_text(const Run& run, const ReportInput& input) {
  const bool for_people = is_for_people(run.settings.format);
  std::string text;
  if (!(for_people && run.options.quiet && input.findings.empty() && input.notes.empty()))
    text = run.engine.render(run.settings.format, input);
  if (for_people && run.options.show_suppressed) text += suppressed_lines(input);
  return text;
}

std::optional<Error> write_report(const Run& run, const std::string& text) {
  if (run.options.output_file.empty()) {
    run.io.out << text;
    return std::nullopt;
  }
  const std::string path = absolute_path(run.options.output_file, run.io.cwd);
  std::ofstream file(path, std::ios::binary | std::ios::trunc);
  file << text;
  file.close();
  if (file.good()) return std::nullopt;
  return Error{.message = "can not write the report", .path = run.options.output_file};
}

void tell_run(const Run& run, const ReportInput& input, size_t without_reason) {
  std::ostream& err = run.io.err;
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - run.start);
  err << "configuration: "
      << (run.settings.config_path.empty() ? "none" : shown_path(run.settings.config_path, run.settings.discovery.cwd)) << '\n'
      << "files: " << input.counts.files << '\n'
      << "functions: " << input.counts.functions << '\n'
      << "communicating functions: " << input.counts.communicating_functions << '\n'
      << "unknown constructs: " << input.counts.unknown_constructs << '\n'
      << "limited functions: " << input.counts.limited_functions << '\n'
      << "unresolved calls: " << input.counts.unresolved_calls << '\n'
      << "suppressed findings: " << input.suppressed.size() << " (" << without_reason << " without a reason)\n"
      << "time: " << elapsed.count() << " ms\n";
}

bool is_clean(const Run& run, const ReportInput& input) {
  if (run.options.only_confirmed) return input.verified->confirmed == 0;
  return input.findings.empty() && input.notes.empty();
}

int check_with(Run& run) {
  Result<Sources> read = read_sources(run.options, run.settings, run.io);
  if (!read) return fail(run.io, read.error());
  Sources& sources = read.value();
  Result<Models> models = load_models(run.engine, run.settings);
  if (!models) return fail(run.io, models.error());
  Result<Frontend> frontend = run.engine.frontend({.cwd = run.io.cwd, .build_folder = run.settings.build_folder});
  if (!frontend) return fail(run.io, frontend.error());
  if (sources.files.empty() && sources.problems.empty() && !run.options.quiet)
    run.io.err << "ranklint: no Python files here\n";

  SourceTexts texts(run.io.cwd);
  std::vector<std::string> silent;
  for (const SourceFile& file : sources.files) {
    if (!file.reported) silent.push_back(file.path);
    if (!run.options.paths.empty() && run.options.paths.front() == "-" && file.reported) texts.keep(file.path, file.bytes);
  }
  std::sort(silent.begin(), silent.end());
  const size_t file_count = sources.reported_count;
  const Analysis analysis = analyze_sources(run, sources, models.value(), frontend.value());

  const auto source = [&texts](const std::string& path) { return texts.text(path); };
  SuppressionResult judged = judged_findings(analysis, {.engine = run.engine, .settings = run.settings,
      .problems = sources.problems, .silent = std::move(silent), .source = source});
  const size_t without_reason = judged.without_reason;
  ReportInput input = report_input(run, std::move(judged), analysis, file_count);
  input.source = source;
  if (run.options.verify) input.verified = run.engine.verify(input.findings);

  if (const auto error = write_report(run, report_text(run, input))) return fail(run.io, *error);
  if (run.options.verbose) tell_run(run, input, without_reason);
  return is_clean(run, input) || run.options.exit_zero ? kClean : kFindings;
}

}  // namespace

int check_command(const CheckOptions& options, Io& io, const Engine& engine) {
  RuleSet set;
  const Result<Engine> own = engine_with_rules(engine, options, io, set);
  if (!own) return fail(io, own.error());
  Result<Settings> settings = settings_of(options, io, own.value().rules);
  if (!settings) return fail(io, settings.error());
  Run run{.options = options, .io = io, .engine = own.value(), .settings = std::move(settings).value()};
  return check_with(run);
}

}  // namespace ranklint::app
