// `ranklint check`: what was found, less what is known, as a report.
#include <algorithm>
#include <chrono>
#include <filesystem>
#include <utility>

#include "app/check/baseline_filter.h"
#include "app/check/broken.h"
#include "app/check/checked.h"
#include "app/check/completeness.h"
#include "app/check/counted.h"
#include "app/check/fixing.h"
#include "app/check/new_findings.h"
#include "app/check/repo_paths.h"
#include "app/check/source_notes.h"
#include "app/cli/commands.h"
#include "app/cli/version.h"
#include "app/cli/watch.h"
#include "app/files/paths.h"
#include "app/files/write.h"
#include "app/report/unchecked.h"

namespace ranklint::app {

namespace {

using Clock = std::chrono::steady_clock;

// Findings about files themselves are kept apart from findings in their code.
void move_notes(std::vector<Finding>& findings, std::vector<ReportNote>& notes) {
  const auto is_note = [](const Finding& f) { return f.rule == kUnreadable || f.rule == kPartial; };
  for (const Finding& finding : findings)
    if (is_note(finding))
      notes.push_back({finding.rule, finding.code, finding.severity, finding.primary, finding.message});
  std::erase_if(findings, is_note);
}

// What a page is called by: the folder that was checked, where it is one and lies elsewhere.
std::string folder_of_page(const CheckRun& run) {
  const std::string& cwd = run.settings.discovery.cwd;
  if (run.options.paths.size() != 1 || run.options.paths.front() == "-") return cwd;
  std::string named = absolute_path(run.options.paths.front(), cwd);
  std::error_code ignored;
  return !lies_in(named, cwd) && std::filesystem::is_directory(named, ignored) ? named : cwd;
}

ReportInput report_input(const CheckRun& run, Checked& checked) {
  SuppressionResult& judged = checked.judged;
  const AnalysisRecord& analysis = checked.analysis;
  ReportInput input;
  move_notes(judged.findings, input.notes);
  input.findings = std::move(judged.findings);
  input.suppressed = std::move(judged.suppressed);
  for (const Rule& rule : run.engine.rules)
    if (run.settings.selected(*rule.info, "")) input.rules.push_back({rule.info, run.engine.rule_page(rule.info->id)});
  input.counts.files = checked.reported.size();
  input.counts.functions = analysis.function_count;
  input.counts.unresolved_calls = analysis.unresolved_call_count;
  input.counts.communicating_functions = analysis.communicating_function_count;
  input.counts.limited_functions = analysis.incomplete.size();
  input.counts.programs = analysis.program_count;
  input.truncated_runs = analysis.truncated_runs;
  input.unread = unread_files(checked);
  input.incomplete = incomplete_places(run, checked);
  input.show_incomplete = run.options.show_incomplete;
  for (const FileNotes& file : analysis.files) input.counts.unknown_constructs += file.unknown_count;
  input.has_baseline = !run.settings.baseline.empty();
  input.version = RANKLINT_VERSION;
  input.project_root = run.settings.discovery.cwd;
  if (run.settings.format == OutputFormat::Html) input.project_root = folder_of_page(run);
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
            s.finding.code + (s.by == SuppressedFinding::By::Comment ? " suppressed: " : " known: ") +
            s.finding.message;
    text += s.reason.empty() ? " (no reason given)\n" : " (" + s.reason + ")\n";
  }
  return text;
}

std::string rendered(const CheckRun& run, const ReportInput& input) {
  const std::string& cwd = run.settings.discovery.cwd;
  const std::string base = report_base(run.settings.format, run.io, cwd);
  return run.engine.render(run.settings.format, base == cwd ? input : with_base(input, cwd, base));
}

std::string report_text(const CheckRun& run, const ReportInput& input) {
  const bool for_people = is_for_people(run.settings.format);
  std::string text;
  const bool has_nothing =
      input.findings.empty() && input.notes.empty() && input.unread.empty() && input.incomplete.empty();
  if (!(for_people && run.options.quiet && has_nothing)) text = rendered(run, input);
  if (for_people && run.options.show_suppressed) text += suppressed_lines(input);
  return text;
}

std::optional<Error> write_report(const CheckRun& run, const std::string& text) {
  if (run.options.output_file.empty()) {
    run.io.out << text;
    return std::nullopt;
  }
  return write_output(absolute_path(run.options.output_file, run.io.cwd), run.options.output_file, text);
}

void tell_run(const CheckRun& run, const ReportInput& input, size_t besides, size_t without_reason) {
  std::ostream& err = run.io.err;
  const auto elapsed = std::chrono::duration_cast<std::chrono::milliseconds>(Clock::now() - run.start);
  err << "configuration: "
      << (run.settings.config_path.empty() ? "none" : shown_path(run.settings.config_path, run.settings.discovery.cwd))
      << '\n'
      << "files: " << input.counts.files << '\n'
      << "files read besides: " << besides << '\n'
      << "functions: " << input.counts.functions << '\n'
      << "communicating functions: " << input.counts.communicating_functions << '\n'
      << "unknown constructs: " << input.counts.unknown_constructs << '\n'
      << "limited functions: " << input.counts.limited_functions << '\n'
      << "unresolved calls: " << input.counts.unresolved_calls << '\n'
      << "programs run: " << input.counts.programs << " (" << input.truncated_runs.size() << " not to their end)\n";
  for (const TruncatedRun& c : input.truncated_runs) err << "  " << c.path << ": " << c.why << '\n';
  err << "suppressed findings: " << input.suppressed.size() << " (" << without_reason << " without a reason)\n"
      << "time: " << elapsed.count() << " ms\n";
}

bool is_clean(const CheckRun& run, const ReportInput& input) {
  if (run.options.only_confirmed) return input.verified->confirmed == 0;
  return input.findings.empty();  // what was not read is no finding: `--fail-on-unread`, `--strict`
}

// What was changed, and what could be.
void tell_fixes(const CheckRun& run, const Fixed& fixed, const Fixable& left) {
  if (run.options.quiet) return;
  for (const std::string& path : fixed.given_up)
    run.io.err << path << ": left as it is, because it would not parse with the changes\n";
  if (fixed.fix_count > 0) {
    run.io.err << "ranklint: made " << counted(fixed.fix_count, "change");
    const char* before = " in ";
    for (const std::string& path : fixed.changed) run.io.err << std::exchange(before, ", ") << path;
    run.io.err << '\n';
  }
  if (!is_for_people(run.settings.format)) return;
  if (left.safe > 0) run.io.err << "ranklint: --fix settles " << left.safe << " of these\n";
  if (left.unsafe > 0)
    run.io.err << "ranklint: --fix --unsafe-fixes settles " << left.unsafe
               << " of these; look at them with --diff first\n";
}

void tell_gone(const CheckRun& run, size_t gone) {
  if (gone == 0 || run.options.quiet) return;
  run.io.err << "ranklint: " << gone << (gone == 1 ? " finding" : " findings") << " of the baseline "
             << (gone == 1 ? "is" : "are") << " no more; `ranklint baseline prune` takes them out\n";
}

// Not every format has a place for it that a person sees.
void tell_unchecked(const CheckRun& run, const ReportInput& input) {
  const bool is_shown_anyway = is_for_people(run.settings.format) && run.options.output_file.empty();
  const std::string text = report::unchecked_sentence(input);
  if (!is_shown_anyway && !text.empty() && !run.options.quiet) run.io.err << "ranklint: " << text << '\n';
}

std::optional<ReportFix> report_fix(const Finding& finding, const SourceOf& source) {
  std::optional<Fix> fix = fix_for(finding, source);
  if (!fix) return std::nullopt;
  ReportFix out{.safe = fix->safe, .title = std::move(fix->title), .path = std::move(fix->path), .edits = {}};
  for (Edit& edit : fix->edits) out.edits.push_back({edit.begin, edit.end, std::move(edit.text)});
  return out;
}

int tell_findings(const CheckRun& run, Fixed fixed) {
  const size_t without_reason = fixed.checked.judged.without_reason;
  const SourceOf source = [texts = fixed.checked.texts](const std::string& path) { return texts->text(path); };
  const std::vector<std::string> why_failed = failures(run, fixed.checked);
  ReportInput input = report_input(run, fixed.checked);
  input.failed = !why_failed.empty();
  input.fix = [source](const Finding& finding) { return report_fix(finding, source); };
  input.source = source;
  if (run.options.verify) input.verified = run.engine.verify(input.findings);

  if (const auto error = write_report(run, report_text(run, input))) return fail(run.io, *error);
  if (run.options.verbose) tell_run(run, input, fixed.checked.silent.size(), without_reason);
  if (!run.options.output_file.empty() && !run.options.quiet)
    run.io.err << "ranklint: " << run.options.output_file << ": " << counted(input.findings.size(), "hazard") << '\n';
  run.io.err << broken_text(fixed.checked.analysis.broken);
  tell_fixes(run, fixed, fixable(input.findings, source));
  tell_gone(run, fixed.known_gone);
  tell_unchecked(run, input);
  for (const std::string& why : why_failed) fail(run.io, why);
  if (!why_failed.empty()) return kFailure;
  return is_clean(run, input) || run.options.exit_zero ? kClean : kFindings;
}

int tell_diff(const CheckRun& run, const Fixed& fixed) {
  const std::string diff = diff_of_changes(run);
  if (const auto error = write_report(run, diff)) return fail(run.io, *error);
  const std::vector<std::string> why_failed = failures(run, fixed.checked);
  for (const std::string& why : why_failed) fail(run.io, why);
  if (!why_failed.empty()) return kFailure;
  if (!run.options.quiet) run.io.err << "ranklint: " << counted(fixed.fix_count, "change") << " to make\n";
  return diff.empty() || run.options.exit_zero ? kClean : kFindings;
}

int check_with(CheckRun& run) {
  if (run.options.unsafe_fixes && !run.options.fix && !run.options.diff && !run.options.quiet)
    run.io.err << "ranklint: --unsafe-fixes says which fixes --fix makes and --diff shows; without one of them it does "
                  "nothing\n";
  if (compares(run.options) && changes_sources(run.options))
    return fail(run.io,
                "--fix, --diff and --add-ignore change what is on disk; use them without --staged and --new-from-rev");
  if (!changes_sources(run.options)) {
    Result<Checked> checked = compares(run.options) ? check_since(run) : check_sources(run);
    if (!checked) return fail(run.io, checked.error());
    const Result<size_t> gone = hide_known(checked->judged, {.settings = run.settings,
                                                             .rules = run.engine.rules,
                                                             .reported = checked->reported,
                                                             .hidden = checked->hidden});
    if (!gone) return fail(run.io, gone.error());
    return tell_findings(run, {.checked = std::move(checked).value(), .known_gone = gone.value(), .given_up = {}});
  }
  Result<Fixed> fixed = fix_sources(run);
  if (!fixed) return fail(run.io, fixed.error());
  if (run.options.diff) return tell_diff(run, fixed.value());
  if (const auto error = write_changes(run)) return fail(run.io, *error);
  return tell_findings(run, std::move(fixed).value());
}

}  // namespace

int check_command(const CheckOptions& options, Io& io, const Engine& engine) {
  if (!options.watch) return with_run(options, io, engine, check_with);
  if (changes_sources(options) || compares(options))
    return fail(io,
                "--watch looks at what is on disk and changes nothing; use it without --fix, --diff, --add-ignore, "
                "--staged and --new-from-rev");
  if (std::find(options.paths.begin(), options.paths.end(), "-") != options.paths.end())
    return fail(io, "standard input can not be watched; name the file");
  return watch_sources(options, io, engine, [&] { return with_run(options, io, engine, check_with); });
}

}  // namespace ranklint::app
