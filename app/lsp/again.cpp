#include "app/lsp/again.h"

#include <algorithm>

#include "app/cli/known.h"

namespace ranklint::app::lsp {

namespace {

bool is_silent(const CheckJob& job, const std::string& path) { return std::binary_search(job.silent.begin(), job.silent.end(), path); }

// What the client sees of a finding.
std::string told(const Finding& finding) {
  std::string text = finding.code + "\n" + finding.message + "\n" + finding.help;
  const auto add = [&](const Location& at) {
    text += "\n" + at.path;
    for (const uint32_t n : {at.range.line, at.range.column, at.range.end_line, at.range.end_column}) text += ":" + std::to_string(n);
  };
  add(finding.primary);
  for (const RelatedLocation& related : finding.related) {
    add(related.location);
    text += related.message;
  }
  for (const WitnessLane& lane : finding.witness.lanes) {
    text += "\n" + lane.ranks + lane.end;
    for (const WitnessStep& step : lane.steps) {
      add(step.location);
      text += step.text;
    }
  }
  return text;
}

bool at_one_place(const Finding& a, const Finding& b) { return a.code == b.code && a.primary.range == b.primary.range; }

// Findings of a text, as findings of a later one.
class Mover {
 public:
  Mover(std::string path, std::string_view before, std::string_view now)
      : path_(std::move(path)), before_(before), now_(now), relocation_(before, now) {}

  Finding operator()(Finding finding) const {
    move(finding.primary);
    for (RelatedLocation& related : finding.related) move(related.location);
    for (WitnessLane& lane : finding.witness.lanes)
      for (WitnessStep& step : lane.steps) move(step.location);
    return finding;
  }

  // Whether the text of the finding's place is what it was.
  bool keeps(const Finding& finding) const {
    const Span old = before_.span(finding.primary.range), now = relocation_(old);
    return before_.text().substr(old.begin, old.end - old.begin) == now_.text().substr(now.begin, now.end - now.begin);
  }

 private:
  void move(Location& at) const {
    if (at.path != path_ || !at.range.known()) return;
    const SourceRange moved = now_.range(relocation_(before_.span(at.range)));
    at.range = at.range.end_line == 0 ? SourceRange{moved.line, moved.column, 0, 0} : moved;
  }

  std::string path_;
  TextLines before_, now_;
  Relocation relocation_;
};

std::vector<Finding> merged(const FoundInFile& before, const std::vector<Finding>& alone_now, const Mover& mover) {
  std::vector<Finding> all;
  std::vector<std::string> alone_told;
  for (const Finding& finding : before.alone) alone_told.push_back(told(mover(finding)));
  std::vector<bool> taken(before.by_all.size(), false);
  const auto by_all = [&](const Finding& alone) -> const Finding* {
    for (size_t i = 0; i < before.by_all.size(); ++i) {
      if (taken[i] || !at_one_place(before.by_all[i], alone)) continue;
      taken[i] = true;
      return &before.by_all[i];
    }
    return nullptr;
  };
  for (const Finding& finding : alone_now) {
    const auto same = std::find(alone_told.begin(), alone_told.end(), told(finding));
    if (same == alone_told.end()) all.push_back(finding);
    else if (const Finding* known = by_all(before.alone[static_cast<size_t>(same - alone_told.begin())])) all.push_back(mover(*known));
  }
  // What only callers bring about.
  for (size_t i = 0; i < before.by_all.size(); ++i) {
    const Finding& finding = before.by_all[i];
    const bool local = std::any_of(before.alone.begin(), before.alone.end(), [&](const Finding& f) { return at_one_place(f, finding); });
    if (taken[i] || local || !mover.keeps(finding)) continue;
    Finding moved = mover(finding);
    if (std::none_of(all.begin(), all.end(), [&](const Finding& f) { return at_one_place(f, moved); })) all.push_back(std::move(moved));
  }
  return all;
}

struct Alone {
  Analysis analysis;
  std::vector<Finding> found;
};

std::optional<Alone> alone(Outcome& outcome, const std::string& path, const Workspace::Modules& modules) {
  if (!outcome.session || !modules || modules->size() != 1) return std::nullopt;
  std::optional<Analysis> analysis = outcome.session->judge_again(copy_of(modules->front()), !is_silent(outcome.job, path));
  if (!analysis) return std::nullopt;
  const Engine& engine = outcome.job.rules->engine;
  std::vector<Finding> found = engine.run_rules(*analysis, engine.rules);
  std::erase_if(found, [&](const Finding& finding) { return finding.primary.path != path; });
  return Alone{std::move(*analysis), std::move(found)};
}

}  // namespace

std::vector<Finding> told_findings(const CheckJob& job, const Analysis& analysis, const std::vector<Finding>& found,
                                   std::span<const SourceProblem> problems,
                                   const std::function<std::string_view(const std::string& path)>& source) {
  Engine engine = job.rules->engine;
  engine.run_rules = [&](const Analysis&, std::span<const Rule>) { return found; };
  SuppressionResult judged = judged_findings(analysis, {.engine = engine, .settings = *job.settings, .problems = problems,
                                                        .silent = job.silent, .source = source});
  std::erase_if(judged.findings, [&](const Finding& f) { return !is_told(f, *job.settings); });
  sort_findings(judged.findings);
  hide_known(judged, {.settings = *job.settings, .rules = engine.rules, .reported = {}, .hidden = {}});  // one that can not be read hides nothing
  return std::move(judged.findings);
}

const FoundInFile* found_in_file(Outcome& outcome, const std::string& path) {
  if (const auto known = outcome.in_file.find(path); known != outcome.in_file.end()) return &known->second;
  const auto& files = outcome.job.files.files;
  const auto file = std::lower_bound(files.begin(), files.end(), path, [](const auto& f, const std::string& p) { return f.path < p; });
  if (file == files.end() || file->path != path) return nullptr;
  std::optional<Alone> as_checked = alone(outcome, path, file->modules);
  if (!as_checked) return nullptr;
  FoundInFile found;
  found.alone = std::move(as_checked->found);
  for (const Finding& finding : outcome.found)
    if (finding.primary.path == path) found.by_all.push_back(finding);
  return &(outcome.in_file[path] = std::move(found));
}

std::optional<std::vector<Finding>> judge_again(Outcome& outcome, const EditedFile& file) {
  const FoundInFile* before = found_in_file(outcome, file.path);
  if (!before) return std::nullopt;
  std::optional<Alone> now = alone(outcome, file.path, file.modules);
  if (!now) return std::nullopt;
  const std::vector<Finding> found = merged(*before, now->found, Mover(file.path, *file.checked, *file.text));
  return told_findings(outcome.job, now->analysis, found, file.problems,
                       [&](const std::string&) -> std::string_view { return *file.text; });
}

}  // namespace ranklint::app::lsp
