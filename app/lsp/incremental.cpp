#include "app/lsp/incremental.h"

#include <algorithm>
#include <map>
#include <utility>

#include "analyzer/project/edit.h"
#include "app/check/baseline_filter.h"
#include "rules/finding_locations.h"

namespace ranklint::app::lsp {

namespace {

bool is_silent(const CheckJob& job, const std::string& path) {
  return std::binary_search(job.silent.begin(), job.silent.end(), path);
}

// What the client sees of a finding.
std::string shown_text(const Finding& finding) {
  std::string text = finding.code + "\n" + finding.message + "\n" + finding.help;
  const auto add = [&](const Location& at) {
    text += "\n" + at.path;
    for (const uint32_t n : {at.range.line, at.range.column, at.range.end_line, at.range.end_column})
      text += ":" + std::to_string(n);
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

// A function that is the same, letter by letter, in two texts.
struct KeptFunction {
  SourceRange before, now;
};

// Those that an edit does not touch.
std::vector<KeptFunction> kept_functions(const ir::Module& before, const ir::Module& now, const Touched& touched) {
  std::map<std::pair<std::string_view, uint32_t>, SourceRange> places;
  const FunctionNumbers numbers_before = numbered(before), numbers_now = numbered(now);
  const auto is_one = [](const ir::Function& f) { return f.kind == ir::FunctionKind::Function && !f.parent.valid(); };
  for (uint32_t f = 0; f < before.functions.size(); ++f)
    if (const ir::Function& function = before.functions[ir::FunctionId{f}]; is_one(function) && !touched.before[f])
      places[{before.text(numbers_before[f].first), numbers_before[f].second}] = function.range;
  std::vector<KeptFunction> kept;
  for (uint32_t f = 0; f < now.functions.size(); ++f) {
    const ir::Function& function = now.functions[ir::FunctionId{f}];
    const auto place = places.find({now.text(numbers_now[f].first), numbers_now[f].second});
    if (is_one(function) && place != places.end()) kept.push_back({place->second, function.range});
  }
  return kept;
}

// Findings of a text, as findings of a later one. What stands in a kept function moves with it; other places follow
// from what the texts have in common in front and at the end.
class Mover {
 public:
  Mover(std::string path, std::string_view before, std::string_view now, const std::vector<KeptFunction>& kept)
      : path_(std::move(path)), before_(before), now_(now), relocation_(before, now) {
    for (const KeptFunction& f : kept)
      if (text_of(before_, f.before) == text_of(now_, f.now)) kept_.push_back(f);
  }

  Finding operator()(Finding finding) const {
    for_each_location(finding, [&](Location& at) { move(at); });
    return finding;
  }

  // Of a finding that speaks of the later text and, where it says so, of the one before.
  void join(Finding& finding) const {
    for_each_location(finding, [&](Location& at) {
      if (std::exchange(at.as_checked, false)) move(at);
    });
  }

  // Whether the text of the finding's place is what it was.
  bool keeps(const Finding& finding) const {
    if (kept_around(finding.primary.range)) return true;
    const Span old = before_.span(finding.primary.range), now = relocation_(old);
    return before_.text().substr(old.begin, old.end - old.begin) == now_.text().substr(now.begin, now.end - now.begin);
  }

 private:
  void move(Location& at) const {
    if (at.path != path_ || !at.range.known()) return;
    if (const KeptFunction* kept = kept_around(at.range)) {
      const uint32_t lines = kept->now.line - kept->before.line;  // of unsigned numbers: upwards too
      at.range.line += lines;
      if (at.range.end_line != 0) at.range.end_line += lines;
      return;
    }
    const SourceRange moved = now_.range(relocation_(before_.span(at.range)));
    at.range = at.range.end_line == 0 ? SourceRange{moved.line, moved.column, 0, 0} : moved;
  }

  static std::string_view text_of(const TextLines& lines, const SourceRange& range) {
    const Span span = lines.span(range);
    return lines.text().substr(span.begin, span.end - span.begin);
  }

  const KeptFunction* kept_around(const SourceRange& range) const {
    for (const KeptFunction& f : kept_)
      if (range.line >= f.before.line && range.line <= f.before.end_line) return &f;
    return nullptr;
  }

  std::string path_;
  TextLines before_, now_;
  Relocation relocation_;
  std::vector<KeptFunction> kept_;
};

std::vector<Finding> merged(const std::vector<Finding>& whole, const FoundAlone& before, const FoundAlone& now,
                            const Mover& mover) {
  std::vector<Finding> all;
  std::vector<std::string> findings_alone;
  for (const Finding& finding : before.findings) findings_alone.push_back(shown_text(mover(finding)));
  std::vector<bool> taken(whole.size(), false);
  const auto by_all = [&](const Finding& alone) -> const Finding* {
    for (size_t i = 0; i < whole.size(); ++i) {
      if (taken[i] || !at_one_place(whole[i], alone)) continue;
      taken[i] = true;
      return &whole[i];
    }
    return nullptr;
  };
  for (const Finding& finding : now.findings) {
    const auto same = std::find(findings_alone.begin(), findings_alone.end(), shown_text(finding));
    if (same == findings_alone.end())
      all.push_back(finding);
    else if (const Finding* known = by_all(before.findings[static_cast<size_t>(same - findings_alone.begin())]))
      all.push_back(mover(*known));
  }
  // What was found elsewhere, what only callers bring about, and what was not looked for this time.
  const bool all_seen =
      std::includes(before.cut_short.begin(), before.cut_short.end(), now.cut_short.begin(), now.cut_short.end());
  for (size_t i = 0; i < whole.size(); ++i) {
    const Finding& finding = whole[i];
    const bool local = std::any_of(before.findings.begin(), before.findings.end(),
                                   [&](const Finding& f) { return at_one_place(f, finding); });
    if (taken[i] || (local && all_seen) || !mover.keeps(finding)) continue;
    Finding moved = mover(finding);
    if (std::none_of(all.begin(), all.end(), [&](const Finding& f) { return at_one_place(f, moved); }))
      all.push_back(std::move(moved));
  }
  return all;
}

struct Alone {
  Analysis analysis;
  FoundAlone found;
};

std::optional<Alone> alone(Outcome& outcome, const std::string& path, const ir::Module& module,
                           const std::vector<bool>& touched, const Mover& from_checked) {
  std::optional<Analysis> analysis =
      outcome.session->check_again(copy_of(module), !is_silent(outcome.job, path), touched);
  if (!analysis) return std::nullopt;
  const Engine& engine = outcome.job.rules->engine;
  std::vector<Finding> found = engine.findings_of(*analysis, engine.rules);
  for (Finding& finding : found) from_checked.join(finding);
  std::erase_if(found, [&](const Finding& finding) { return finding.primary.path != path; });
  return Alone{std::move(*analysis), {std::move(found), outcome.session->cut_short()}};
}

// What was read of it when all were checked; null: nothing that can be judged alone.
Workspace::Modules modules_checked(const Outcome& outcome, const std::string& path) {
  const auto& files = outcome.job.files.files;
  const auto file = files.find(path);
  return file != files.end() && file->second.modules->size() == 1 ? file->second.modules : nullptr;
}

FoundInFile& found_in_file(Outcome& outcome, const std::string& path) {
  const auto [place, is_new] = outcome.in_file.try_emplace(path);
  if (is_new)
    for (const Finding& finding : outcome.found)
      if (finding.primary.path == path) place->second.by_all.push_back(finding);
  return place->second;
}

}  // namespace

std::vector<Finding> reported_findings(const CheckJob& job, const Analysis& analysis, const std::vector<Finding>& found,
                                       std::span<const SourceProblem> problems,
                                       const std::function<std::string_view(const std::string& path)>& source) {
  const Engine& engine = job.rules->engine;
  SuppressionResult judged = findings_to_show(
      found, analysis.files,
      {.engine = engine, .settings = *job.settings, .problems = problems, .silent = job.silent, .source = source});
  std::erase_if(judged.findings, [&](const Finding& f) { return !is_reported(f, *job.settings); });
  sort_findings(judged.findings);
  hide_known(judged, {.settings = *job.settings,
                      .rules = engine.rules,
                      .reported = {},
                      .hidden = {}});  // one that cannot be read hides nothing
  return std::move(judged.findings);
}

// Edits mostly stay in one function: what was checked of the functions that are touched is checked once.
std::optional<std::vector<Finding>> check_again(Outcome& outcome, const EditedFile& file) {
  const Workspace::Modules checked = modules_checked(outcome, file.path);
  if (!outcome.session || !checked || !file.modules || file.modules->size() != 1) return std::nullopt;
  const Touched touched = touched_by_edit(checked->front(), file.modules->front());
  FoundInFile& known = found_in_file(outcome, file.path);
  auto before = known.alone.find(touched.before);
  if (before == known.alone.end()) {
    std::optional<Alone> as_checked =
        alone(outcome, file.path, checked->front(), touched.before, Mover(file.path, *file.checked, *file.checked, {}));
    if (!as_checked) return std::nullopt;
    before = known.alone.emplace(touched.before, std::move(as_checked->found)).first;
  }
  const Mover mover(file.path, *file.checked, *file.text,
                    kept_functions(checked->front(), file.modules->front(), touched));
  std::optional<Alone> now = alone(outcome, file.path, file.modules->front(), touched.now, mover);
  if (!now) return std::nullopt;
  const std::vector<Finding> found = merged(known.by_all, before->second, now->found, mover);
  return reported_findings(outcome.job, now->analysis, found, file.problems,
                           [&](const std::string&) -> std::string_view { return *file.text; });
}

}  // namespace ranklint::app::lsp
