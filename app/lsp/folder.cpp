#include "app/lsp/folder.h"

#include <algorithm>
#include <array>

#include "app/files/paths.h"
#include "app/files/read.h"

namespace ranklint::app::lsp {

namespace {

bool is_source(std::string_view path) {
  static constexpr std::array<std::string_view, 11> kSuffixes{".py", ".pyw", ".c", ".cc", ".cpp", ".cxx", ".c++", ".C", ".cu", ".hip", ".cppm"};
  return std::any_of(kSuffixes.begin(), kSuffixes.end(), [&](std::string_view suffix) { return path.ends_with(suffix); });
}

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
  for (const auto& [uri, document] : open)
    if (holds(document.path)) put(document.path, document.text);
  ++revision_;
  return true;
}

// A file that nobody has found on disk is one that was just made.
bool Folder::belongs(const std::string& absolute_path) const {
  return loaded_->workspace->has(shown(absolute_path)) ||
         (is_source(absolute_path) && !loaded_->settings->discovery.excludes.leaves_out(absolute_path, false));
}

bool Folder::knows(const std::string& absolute_path) const { return loaded_ && loaded_->workspace->has(shown(absolute_path)); }

void Folder::put(const std::string& absolute_path, const Text& text) {
  if (!loaded_ || !belongs(absolute_path)) return;
  const std::string path = shown(absolute_path);
  Workspace& workspace = *loaded_->workspace;
  ++revision_;
  std::erase_if(loaded_->problems, [&](const SourceProblem& problem) { return problem.location.path == path; });
  const bool reported = !std::binary_search(loaded_->silent.begin(), loaded_->silent.end(), path);
  if (text) {
    buffers_[path] = text;
    workspace.put({.path = path, .bytes = *text, .reported = reported});
    return;
  }
  buffers_.erase(path);
  Result<std::string> bytes = everything_ ? read_file(absolute_path) : Result<std::string>(Error{});
  if (!bytes) {
    workspace.remove(path);
    return;
  }
  if (const auto broken = first_broken_byte(bytes.value()))
    loaded_->problems.push_back({{path, *broken}, "not UTF-8; what follows may be misread"});
  workspace.put({.path = path, .bytes = std::move(bytes).value(), .reported = reported});
}

CheckJob Folder::check_job() {
  asked_ = revision_;
  return {.root = root_, .revision = revision_, .settings = loaded_->settings, .models = loaded_->models, .rules = loaded_->rules,
          .files = loaded_->workspace->snapshot(), .problems = loaded_->problems, .silent = loaded_->silent, .buffers = buffers_};
}

}  // namespace ranklint::app::lsp
