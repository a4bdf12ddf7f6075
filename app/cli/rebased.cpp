#include "app/cli/rebased.h"

#include <filesystem>

#include "app/files/paths.h"

namespace ranklint::app {

namespace {

// From paths that start in one folder to those that start in another.
struct Move {
  std::string from, to;

  void operator()(std::string& path) const {
    if (!path.empty()) path = shown_path(absolute_path(path, from), to);
  }
  void operator()(Finding& finding) const {
    (*this)(finding.primary.path);
    for (RelatedLocation& related : finding.related) (*this)(related.location.path);
    for (WitnessLane& lane : finding.witness.lanes)
      for (WitnessStep& step : lane.steps) (*this)(step.location.path);
  }
};

std::string said_by(const Io& io, const char* variable, const std::string& cwd) {
  const std::string folder = io.environment(variable).value_or("");
  if (!folder.starts_with('/')) return "";
  std::string absolute = absolute_path(folder, "");
  return lies_in(cwd, absolute) ? absolute : "";
}

std::string top_of_repository(const std::string& cwd) {
  std::error_code ignored;
  for (std::string at = cwd; !at.empty(); at = parent_of(at))
    if (std::filesystem::exists(at + "/.git", ignored)) return at;
  return cwd;
}

}  // namespace

std::string report_base(OutputFormat format, const Io& io, const std::string& cwd) {
  const bool for_github = format == OutputFormat::Github || format == OutputFormat::Sarif;
  const bool for_gitlab = format == OutputFormat::Gitlab || format == OutputFormat::Sarif;
  if (!for_github && !for_gitlab) return cwd;
  std::string base = for_github ? said_by(io, "GITHUB_WORKSPACE", cwd) : "";
  if (base.empty() && for_gitlab) base = said_by(io, "CI_PROJECT_DIR", cwd);
  return base.empty() ? top_of_repository(cwd) : base;
}

ReportInput rebased(ReportInput input, const std::string& cwd, const std::string& base) {
  const Move there{cwd, base}, back{base, cwd};
  for (Finding& finding : input.findings) there(finding);
  for (SuppressedFinding& suppressed : input.suppressed) {
    there(suppressed.finding);
    there(suppressed.location.path);
  }
  for (ReportNote& note : input.notes) there(note.location.path);
  for (CutOff& cut_off : input.cut_off) there(cut_off.path);
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
