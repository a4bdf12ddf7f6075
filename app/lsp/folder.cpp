#include "app/lsp/folder.h"

#include <algorithm>

#include "app/check/of_interest.h"
#include "app/files/paths.h"
#include "app/files/read.h"
#include "app/lsp/incremental.h"

namespace ranklint::app::lsp {

namespace {

// Whether reading it is a matter of a moment: Clang takes seconds for one file.
bool is_read_at_once(const std::string& path) { return is_python(path) || may_say_nothing(path); }

}  // namespace

bool Folder::holds(std::string_view absolute_path) const { return lies_in(absolute_path, root_); }
std::string Folder::shown(std::string_view absolute_path) const { return shown_path(absolute_path, root_); }
std::string Folder::absolute(std::string_view shown_path) const { return absolute_path(shown_path, root_); }

LoadJob Folder::load_job(CheckOptions options) {
  return {.root = root_, .generation = ++generation_, .options = std::move(options), .everything = everything_};
}

bool Folder::take(std::shared_ptr<Loaded> loaded, const std::map<std::string, Document>& open) {
  if (loaded->generation != generation_) return false;
  loaded_ = std::move(loaded);
  buffers_.clear();
  unread_.clear();
  for (const auto& [uri, document] : open)
    if (holds(document.path)) put(document.path, document.text);
  ++revision_;
  return true;
}

bool Folder::take(const KnownBefore& known) {
  if (known.generation != generation_ || (outcome_ && outcome_->session)) return false;
  outcome_ = known.outcome;
  return true;
}

LookJob Folder::look_job(CheckOptions options, const Document& opened) const {
  return {.folder = {.root = root_, .generation = generation_, .options = std::move(options)},
          .path = opened.path,
          .text = opened.text};
}

// Looks at several files are shown side by side.
bool Folder::take(const FirstLook& look) {
  if (look.generation != generation_ || !needs_look()) return false;
  if (outcome_) {
    Outcome& now = *look.outcome;
    std::ranges::copy_if(outcome_->findings, std::back_inserter(now.findings),
                         [&](const Finding& f) { return !now.job.buffers.contains(f.primary.path); });
    for (const auto& [path, text] : outcome_->job.buffers) now.job.buffers.emplace(path, text);
  }
  outcome_ = look.outcome;
  return true;
}

// Whether a check sees the same as if the file had not been touched since the folder was read.
bool Folder::is_as_read(const std::string& path, const Text& text) const {
  if (!text) return false;
  const std::map<std::string, Digest>& files = loaded_->results->files;
  const auto file = files.find(path);
  if (file == files.end()) return !is_of_interest(path, *text);
  return file->second == Digester().add(*text).digest();
}

// A file that was not found on disk is one that was just made.
bool Folder::belongs(const std::string& absolute_path) const {
  return loaded_->workspace->has(shown(absolute_path)) ||
         (may_be_source(absolute_path) && !loaded_->settings->discovery.excludes.leaves_out(absolute_path, false));
}

// A header without a known includer may be one that was missing.
bool Folder::is_read_anew_with(const std::string& absolute_path) const {
  const std::string_view name = name_in(absolute_path);
  if (is_configuration(name) || name == ".gitignore") return true;
  if (is_header(name)) return !loaded_ || loaded_->open->includers(shown(absolute_path)).empty();
  return loaded_ && std::ranges::find(loaded_->besides, absolute_path) != loaded_->besides.end();
}

void Folder::put(const std::string& absolute_path, const Text& text) {
  if (!loaded_) return;
  const bool is_source = belongs(absolute_path);
  if (!is_source && !is_header(name_in(absolute_path))) return;
  const std::string path = shown(absolute_path);
  if (loaded_->results && !is_as_read(path, text)) loaded_->results.reset();
  if (!is_read_at_once(path)) put_included(path, text);
  if (!is_source) return;
  Workspace& workspace = *loaded_->workspace;
  ++revision_;
  std::erase_if(loaded_->problems, [&](const SourceProblem& problem) { return problem.location.path == path; });
  const bool reported = is_reported(path);
  if (text) {
    buffers_[path] = text;
    if (!is_of_interest(path, *text)) {
      workspace.remove(path);
      return;
    }
    // Of open files alone: a folder may have thousands that are never opened.
    const auto& missing_frontend = loaded_->rules->engine.missing_frontend;
    if (const auto missing = missing_frontend && reported ? missing_frontend(path, true) : std::nullopt)
      loaded_->problems.push_back(
          {{path, {1, 1, 1, 1}}, "can not be read: " + missing->why + "; " + missing->way_out, true});
    read({.path = path, .bytes = *text, .reported = reported});
    check_again(path);
    return;
  }
  buffers_.erase(path);
  edited_.erase(path);
  unread_.erase(path);
  Result<std::string> bytes = everything_ ? read_file(absolute_path) : Result<std::string>(Error{});
  if (!bytes || !is_of_interest(path, bytes.value())) {
    workspace.remove(path);
    return;
  }
  if (const auto broken = first_broken_byte(bytes.value()))
    loaded_->problems.push_back({{path, *broken}, "not UTF-8; what follows may be misread"});
  read({.path = path, .bytes = std::move(bytes).value(), .reported = reported});
}

bool Folder::is_reported(const std::string& path) const {
  return !std::binary_search(loaded_->silent.begin(), loaded_->silent.end(), path);
}

Text Folder::text_on_disk(const std::string& path) const {
  Result<std::string> bytes = read_file(absolute(path));
  return std::make_shared<const std::string>(bytes ? std::move(bytes).value() : std::string());
}

// Its includers are read again, if it has changed; its findings are those of their checks.
void Folder::put_included(const std::string& path, const Text& text) {
  const auto open = buffers_.find(path);
  const Text before = open == buffers_.end() ? nullptr : open->second,
             disk = before && text ? nullptr : text_on_disk(path);
  const bool changed = (!before && !text) || *(before ? before : disk) != *(text ? text : disk);
  loaded_->open->put(path, text);
  if (text)
    buffers_[path] = text;
  else
    buffers_.erase(path);
  tells_at_once_ = false;
  if (!changed) return;
  ++revision_;
  for (const std::string& unit : loaded_->open->includers(path)) {
    if (!loaded_->workspace->has(unit)) continue;  // it is no more
    const auto of_unit = buffers_.find(unit);
    const Text bytes = of_unit == buffers_.end() ? text_on_disk(unit) : of_unit->second;
    read({.path = unit, .bytes = *bytes, .reported = is_reported(unit)});
  }
}

void Folder::read(SourceFile file) {
  if (is_read_at_once(file.path)) {
    loaded_->workspace->put(file);
    return;
  }
  UnreadFile& unread = unread_[file.path];  // before the path is moved
  unread = {.revision = revision_, .source = std::move(file)};
}

void Folder::take_read(const Outcome& outcome) {
  for (const std::string& path : outcome.read) {
    const auto unread = unread_.find(path);
    if (unread == unread_.end() || unread->second.revision != outcome.job.unread.at(path).revision) continue;
    loaded_->workspace->put(path, outcome.job.files.files.at(path));
    unread_.erase(unread);
  }
}

std::shared_ptr<Outcome> Folder::take(std::shared_ptr<Outcome> outcome) {
  outcome_.swap(outcome);
  edited_.clear();
  for (const auto& [path, text] : buffers_) check_again(path);
  return outcome;
}

// A file whose text is the one that was checked is not edited; one that cannot be checked alone keeps its old
// findings.
void Folder::check_again(const std::string& path) {
  edited_.erase(path);
  tells_at_once_ = false;
  if (!outcome_ || outcome_->job.settings != loaded_->settings || unread_.contains(path) ||
      !loaded_->workspace->has(path))
    return;
  const Text text = buffers_.at(path);
  Text checked = text_checked(path);
  if (!checked) checked = text_on_disk(path);
  tells_at_once_ = true;
  if (*checked == *text) return;
  EditedFile file{
      .path = path, .checked = checked, .text = text, .modules = loaded_->workspace->modules(path), .problems = {}};
  for (const SourceProblem& problem : loaded_->problems)
    if (problem.location.path == path) file.problems.push_back(problem);
  std::optional<std::vector<Finding>> findings = lsp::check_again(*outcome_, file);
  tells_at_once_ = findings.has_value();
  if (findings) edited_[path] = {text, std::move(*findings)};
}

Text Folder::text_checked(const std::string& path) const {
  if (!outcome_) return nullptr;
  const auto buffer = outcome_->job.buffers.find(path);
  return buffer == outcome_->job.buffers.end() ? nullptr : buffer->second;
}

Text Folder::text_reported(const std::string& path) const {
  const auto edited = edited_.find(path);
  return edited == edited_.end() ? text_checked(path) : edited->second.text;
}

std::vector<const Finding*> Folder::findings(const std::string& path) const {
  std::vector<const Finding*> found;
  if (!outcome_) return found;
  const auto edited = edited_.find(path);
  for (const Finding& finding : edited == edited_.end() ? outcome_->findings : edited->second.findings)
    if (finding.primary.path == path) found.push_back(&finding);
  return found;
}

CheckJob Folder::check_job() {
  asked_ = revision_;
  return {.root = root_,
          .revision = revision_,
          .settings = loaded_->settings,
          .models = loaded_->models,
          .rules = loaded_->rules,
          .files = loaded_->workspace->snapshot(),
          .unread = unread_,
          .frontend = loaded_->workspace->frontend(),
          .problems = loaded_->problems,
          .silent = loaded_->silent,
          .buffers = buffers_,
          .results = loaded_->results,
          .is_first = !outcome_ || !outcome_->session};
}

}  // namespace ranklint::app::lsp
