#include "app/check/repo_paths.h"

#include "app/files/paths.h"
#include "app/files/repository.h"
#include "rules/finding_locations.h"

namespace ranklint::app {

namespace {

// From paths that start in one folder to those that start in another.
struct Move {
  std::string from, to;

  void operator()(std::string& path) const {
    if (!path.empty()) path = shown_path(absolute_path(path, from), to);
  }
  void operator()(Finding& finding) const {
    for_each_location(finding, [this](Location& at) { (*this)(at.path); });
  }
};

std::string said_by(const Io& io, const char* variable, const std::string& cwd) {
  const std::string folder = io.environment(variable).value_or("");
  if (!folder.starts_with('/')) return "";
  std::string absolute = absolute_path(folder, "");
  return lies_in(cwd, absolute) ? absolute : "";
}

}  // namespace

std::string report_base(OutputFormat format, const Io& io, const std::string& cwd) {
  const bool for_github = format == OutputFormat::Github || format == OutputFormat::Sarif;
  const bool for_gitlab = format == OutputFormat::Gitlab || format == OutputFormat::Sarif;
  if (!for_github && !for_gitlab) return cwd;
  std::string base = for_github ? said_by(io, "GITHUB_WORKSPACE", cwd) : "";
  if (base.empty() && for_gitlab) base = said_by(io, "CI_PROJECT_DIR", cwd);
  if (base.empty()) base = repository_around(cwd);
  return base.empty() ? cwd : base;
}

ReportInput with_base(ReportInput input, const std::string& cwd, const std::string& base) {
  const Move there{cwd, base}, back{base, cwd};
  for (Finding& finding : input.findings) there(finding);
  for (SuppressedFinding& suppressed : input.suppressed) {
    there(suppressed.finding);
    there(suppressed.location.path);
  }
  for (ReportNote& note : input.notes) there(note.location.path);
  for (TruncatedRun& run : input.truncated_runs) there(run.path);
  for (UnreadFiles& files : input.unread)
    for (std::string& path : files.paths) there(path);
  for (IncompletePlace& place : input.incomplete) there(place.path);
  if (input.verified)
    for (Finding& finding : input.verified->refuted) there(finding);
  if (input.source)
    input.source = [source = std::move(input.source), back](const std::string& path) {
      std::string here = path;
      back(here);
      return source(here);
    };
  if (input.fix)
    input.fix = [fix = std::move(input.fix), there, back](Finding finding) {
      back(finding);
      std::optional<ReportFix> found = fix(finding);
      if (found) there(found->path);
      return found;
    };
  input.project_root = base;
  return input;
}

}  // namespace ranklint::app
