// `ranklint baseline create|update|prune`: what is found now, as what is known from now on.
#include <filesystem>

#include "app/check/baseline_filter.h"
#include "app/check/checked.h"
#include "app/check/completeness.h"
#include "app/check/counted.h"
#include "app/cli/commands.h"
#include "app/files/paths.h"
#include "app/files/write.h"

namespace ranklint::app {

namespace {

// The file: what a flag or the configuration names, else the usual name in the folder of the configuration, else here.
std::string file_of(const CheckRun& run) {
  if (!run.settings.baseline.empty()) return run.settings.baseline;
  const std::string folder =
      run.settings.config_path.empty() ? run.settings.discovery.cwd : std::string(parent_of(run.settings.config_path));
  return folder + "/" + std::string(kBaselineName);
}

Result<Baseline> old_baseline(const BaselineOptions& options, const std::string& file, const std::string& cwd) {
  if (options.action != BaselineOptions::Action::Create) return load_baseline(file, cwd);
  std::error_code ignored;
  if (std::filesystem::exists(file, ignored))
    return Error{.message = "there is a baseline already; `ranklint baseline update` brings it up to date",
                 .path = shown_path(file, cwd)};
  return Baseline{};
}

void tell(const CheckRun& run, const BaselineChange& change, const std::string& shown) {
  if (run.options.quiet) return;
  run.io.out << shown << ": " << counted(change.baseline.entries.size(), "finding") << " (" << change.added
             << " added, " << change.dropped << " dropped, " << change.kept << " kept)\n";
  if (run.settings.baseline.empty())
    run.io.out << "use it: `ranklint check --baseline " << shown << "`, or `baseline = \"" << name_in(shown)
               << "\"` in the configuration\n";
}

int change_baseline(CheckRun& run, const BaselineOptions& options) {
  const std::string file = file_of(run);
  const std::string& cwd = run.settings.discovery.cwd;
  Result<Baseline> old = old_baseline(options, file, cwd);
  if (!old) return fail(run.io, old.error());
  const Result<Checked> checked = check_sources(run);
  if (!checked) return fail(run.io, checked.error());
  if (const std::vector<std::string> why = failures(run, checked.value()); !why.empty())
    return fail(run.io, why.front());

  const BaselinePlace place{.cwd = cwd, .folder = std::string(parent_of(file))};
  const SuppressionResult& judged = checked.value().judged;
  const Looked looked{.settings = run.settings,
                      .rules = run.engine.rules,
                      .reported = checked.value().reported,
                      .hidden = checked.value().hidden};
  const BaselineChange change = updated(
      old.value(), entries_of(judged.findings, judged.suppressed, place),
      [&](const BaselineEntry& entry) { return is_gone(entry, place, looked); },
      options.action != BaselineOptions::Action::Prune);
  const std::string shown = shown_path(file, cwd);
  if (const auto error = replace_file(file, shown, print_baseline(change.baseline))) return fail(run.io, *error);
  tell(run, change, shown);
  return kClean;
}

}  // namespace

int baseline_command(const BaselineOptions& options, Io& io, const Engine& engine) {
  return with_run(options.check, io, engine, [&](CheckRun& run) { return change_baseline(run, options); });
}

}  // namespace ranklint::app
