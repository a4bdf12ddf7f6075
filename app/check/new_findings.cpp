#include "app/check/new_findings.h"

#include <algorithm>
#include <filesystem>

#include "app/baseline/baseline.h"
#include "app/files/paths.h"
#include "app/git/commands.h"
#include "app/git/git.h"

namespace ranklint::app {

namespace {

// A path of the work tree, in the other tree.
std::string moved(const std::string& absolute, const SourceTree& tree) {
  return lies_in(absolute, tree.root) ? tree.folder + absolute.substr(tree.root.size()) : absolute;
}

// A check of the other tree, by the settings of this one.
struct Elsewhere {
  CheckOptions options;
  Io io;
  Settings settings;
};

Elsewhere elsewhere(const CheckRun& run, const SourceTree& tree) {
  Elsewhere other{run.options, run.io, run.settings};
  Settings& settings = other.settings;
  const std::string cwd = run.settings.discovery.cwd;
  settings.discovery.cwd = other.io.cwd = moved(cwd, tree);
  settings.top = tree.folder;
  settings.discovery.excludes.move(tree.root, tree.folder);
  for (PerFileIgnore& ignore : settings.per_file_ignores) ignore.pattern.move(tree.root, tree.folder);
  for (std::string& path : settings.src) path = moved(path, tree);
  if (other.options.paths.empty()) other.options.paths = {"."};
  for (std::string& path : other.options.paths) path = moved(absolute_path(path, cwd), tree);
  const auto is_missing = [](const std::string& path) {
    std::error_code ignored;
    return !std::filesystem::exists(path, ignored);
  };
  std::erase_if(other.options.paths, is_missing);  // what the tree does not have, it has no findings in
  std::erase_if(settings.src, is_missing);
  other.options.quiet = true;
  if (bring_compile_commands(tree, settings.build_folder)) settings.build_folder = tree.folder;
  return other;
}

Result<Checked> check_tree(const CheckRun& run, const SourceTree& tree) {
  Elsewhere other = elsewhere(run, tree);
  if (other.options.paths.empty()) return Checked{.texts = std::make_shared<SourceTexts>(other.io.cwd)};
  return check_sources(
      {.options = other.options, .io = other.io, .engine = run.engine, .settings = std::move(other.settings)});
}

// What the revision has, under the names that files have by now.
Baseline known_in(const Checked& old, const SourceTree& tree, const std::string& cwd) {
  const auto rename = [&](Finding finding) {
    const std::string absolute = absolute_path(finding.primary.path, cwd);
    if (!lies_in(absolute, tree.folder) || absolute == tree.folder) return finding;
    const auto now = tree.renamed.find(absolute.substr(tree.folder.size() + 1));
    if (now != tree.renamed.end()) finding.primary.path = tree.folder + "/" + now->second;
    return finding;
  };
  std::vector<Finding> findings;
  std::vector<SuppressedFinding> suppressed;
  for (const Finding& finding : old.judged.findings) findings.push_back(rename(finding));
  for (const SuppressedFinding& s : old.judged.suppressed)
    suppressed.push_back({.finding = rename(s.finding), .reason = {}, .location = {}});
  return {entries_of(findings, suppressed, {.cwd = cwd, .folder = tree.folder})};
}

}  // namespace

Result<Checked> check_since(const CheckRun& run) {
  const std::string& cwd = run.settings.discovery.cwd;
  const std::string revision = run.options.new_from_rev.empty() ? "HEAD" : run.options.new_from_rev;
  const Result<SourceTree> old = tree_of_revision(revision, cwd, run.options.staged);
  const bool is_first_commit =
      !old && run.options.staged && run.options.new_from_rev.empty();  // or no repository: the index tells
  if (!old && !is_first_commit) return old.error();
  Baseline known;
  if (old) {
    const Result<Checked> before = check_tree(run, old.value());
    if (!before) return before.error();
    known = known_in(before.value(), old.value(), moved(cwd, old.value()));
  }
  for (BaselineEntry& entry : known.entries) entry.reason = "in " + revision;

  if (!run.options.staged) {
    Result<Checked> now = check_sources(run);
    if (!now) return now;
    take_known(now->judged.findings, now->judged.suppressed,
               {.baseline = known, .place = {.cwd = cwd, .folder = old.value().root}, .shown = ""});
    return now;
  }
  const Result<SourceTree> index = tree_of_index(cwd);
  if (!index) return index.error();
  Result<Checked> now = check_tree(run, index.value());
  if (!now) return now;
  for (const std::string& path : now->reported) now->texts->text(path);  // the folder goes
  take_known(
      now->judged.findings, now->judged.suppressed,
      {.baseline = known, .place = {.cwd = moved(cwd, index.value()), .folder = index.value().folder}, .shown = ""});
  return now;
}

}  // namespace ranklint::app
