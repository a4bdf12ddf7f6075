#include "app/check/fixing.h"

#include <algorithm>
#include <map>
#include <set>

#include "app/check/baseline_filter.h"
#include "app/files/paths.h"
#include "app/files/read.h"
#include "app/files/write.h"
#include "app/fix/comments.h"

namespace ranklint::app {

namespace {

constexpr int kMostRoundsOfFixes = 10;
using EditsByFile = std::map<std::string, std::vector<Edit>>;

class RoundsOfFixes {
 public:
  explicit RoundsOfFixes(CheckRun& run) : run_(run) {}

  Result<Fixed> all() {
    if (auto error = check()) return std::move(*error);
    const bool ignores = !run_.options.add_ignore.empty();
    for (int round = 0; round < (ignores ? 1 : kMostRoundsOfFixes); ++round) {
      const EditsByFile edits = ignores ? comments() : fixes();
      if (edits.empty()) break;
      if (const auto error = take(edits)) return *error;
    }
    return std::move(fixed_);
  }

 private:
  std::optional<Error> check() {
    Result<Checked> checked = check_sources(run_);
    if (!checked) return checked.error();
    fixed_.checked = std::move(checked).value();
    const Result<size_t> gone = hide_known(fixed_.checked.judged, {.settings = run_.settings,
                                                                   .rules = run_.engine.rules,
                                                                   .reported = fixed_.checked.reported,
                                                                   .hidden = fixed_.checked.hidden});
    if (!gone) return gone.error();
    fixed_.known_gone = gone.value();
    return std::nullopt;
  }

  std::string_view text(const std::string& path) const { return fixed_.checked.texts->text(path); }
  std::string absolute(const std::string& path) const { return absolute_path(path, run_.settings.discovery.cwd); }

  // Whether the file was checked, and its changes have not been given up.
  bool may_change(const std::string& path) const {
    return std::binary_search(fixed_.checked.reported.begin(), fixed_.checked.reported.end(), path) &&
           std::find(fixed_.given_up.begin(), fixed_.given_up.end(), path) == fixed_.given_up.end();
  }

  EditsByFile fixes() {
    EditsByFile taken;
    const SourceOf source = [this](const std::string& path) { return text(path); };
    for (const Finding& finding : fixed_.checked.judged.findings) {
      const std::optional<Fix> fix = fix_for(finding, source);
      if (!fix || (!fix->safe && !run_.options.unsafe_fixes) || !may_change(fix->path)) continue;
      std::vector<Edit>& edits = taken[fix->path];
      const bool clashes = std::any_of(fix->edits.begin(), fix->edits.end(), [&](const Edit& edit) {
        return std::any_of(edits.begin(), edits.end(), [&](const Edit& other) { return clash(edit, other); });
      });
      if (clashes) continue;  // its turn comes in the next round
      edits.insert(edits.end(), fix->edits.begin(), fix->edits.end());
      ++counts_[fix->path];
    }
    std::erase_if(taken, [](const auto& file) { return file.second.empty(); });
    return taken;
  }

  EditsByFile comments() {
    std::map<std::string, std::vector<const Finding*>> by_file;
    for (const Finding& finding : fixed_.checked.judged.findings)
      if (may_change(finding.primary.path)) by_file[finding.primary.path].push_back(&finding);
    EditsByFile edits;
    for (const auto& [path, findings] : by_file) {
      std::vector<Edit> of_file = ignoring(text(path), findings, run_.options.add_ignore);
      if (of_file.empty()) continue;
      counts_[path] += of_file.size();
      edits.emplace(path, std::move(of_file));
    }
    return edits;
  }

  std::map<std::string, size_t> parse_problems() const {
    std::map<std::string, size_t> count;
    for (const FileNotes& file : fixed_.checked.analysis.files) count[file.path] = file.diagnostics.size();
    return count;
  }

  std::optional<Error> take(const EditsByFile& edits) {
    std::map<std::string, std::string> before;
    std::map<std::string, size_t> problems = parse_problems();
    for (const auto& [path, of_file] : edits) {
      before.emplace(path, text(path));
      run_.overlay.insert_or_assign(absolute(path), with_edits(text(path), of_file));
    }
    if (auto error = check()) return std::move(*error);
    std::map<std::string, size_t> now = parse_problems();
    bool taken_back = false;
    for (const auto& [path, old] : before) {
      if (now[path] <= problems[path]) {
        fixed_.fix_count += counts_[path];
        if (counts_[path] > 0) fixed_.changed.insert(path);
      } else {
        run_.overlay.insert_or_assign(absolute(path), old);
        fixed_.given_up.push_back(path);
        taken_back = true;
      }
    }
    counts_.clear();
    return taken_back ? check() : std::nullopt;
  }

  CheckRun& run_;
  Fixed fixed_;
  std::map<std::string, size_t> counts_;  // fixes taken in this round, by file
};

}  // namespace

Result<Fixed> fix_sources(CheckRun& run) {
  if (std::find(run.options.paths.begin(), run.options.paths.end(), "-") != run.options.paths.end())
    return Error{.message = "standard input can not be changed; name the file", .path = {}};
  return RoundsOfFixes(run).all();
}

std::optional<Error> write_changes(const CheckRun& run) {
  for (const auto& [absolute, text] : run.overlay) {
    const Result<std::string> old = read_file(absolute);
    if (old.has_value() && old.value() == text) continue;
    if (const auto error = replace_file(absolute, shown_path(absolute, run.settings.discovery.cwd), text)) return error;
  }
  return std::nullopt;
}

std::string diff_of_changes(const CheckRun& run) {
  std::string out;
  for (const auto& [absolute, text] : run.overlay) {
    const Result<std::string> old = read_file(absolute);
    if (old.has_value()) out += unified_diff(shown_path(absolute, run.settings.discovery.cwd), old.value(), text);
  }
  return out;
}

Fixable fixable(const std::vector<Finding>& findings, const SourceOf& source) {
  Fixable count;
  for (const Finding& finding : findings)
    if (const std::optional<Fix> fix = fix_for(finding, source)) ++(fix->safe ? count.safe : count.unsafe);
  return count;
}

}  // namespace ranklint::app
