#include "app/check/completeness.h"

#include <algorithm>
#include <map>
#include <tuple>

#include "app/check/counted.h"
#include "app/check/source_notes.h"
#include "app/files/paths.h"

namespace ranklint::app {

namespace {

bool is_silent(const Checked& checked, const std::string& path) {
  return std::binary_search(checked.silent.begin(), checked.silent.end(), path);
}

// Ignoring the rule about files hides its places here too; selecting other rules does not.
bool is_asked_for(const CheckRun& run, std::string_view id, const std::string& path) {
  const auto& rules = run.engine.rules;
  const auto rule = std::find_if(rules.begin(), rules.end(), [&](const Rule& r) { return r.info->id == id; });
  return rule != rules.end() && !run.settings.is_ignored(*rule->info, absolute_path(path, run.settings.discovery.cwd));
}

void add_files(const CheckRun& run, const Checked& checked, std::vector<IncompletePlace>& out) {
  const auto add = [&](std::string_view rule, const Location& at, std::string reason, std::string message) {
    if (is_asked_for(run, rule, at.path))
      out.push_back({IncompletePlace::Kind::File, at.path, at.range.line, {}, std::move(reason), std::move(message)});
  };
  for (const SourceProblem& problem : checked.problems)
    if (!problem.is_unread) add(kUnreadable, problem.location, "encoding", problem.message);
  for (const FileNotes& file : checked.analysis.files)
    if (!is_silent(checked, file.path))
      for (const ir::Diagnostic& diagnostic : file.diagnostics)
        add(kPartial, {file.path, diagnostic.range}, "parse-error", diagnostic.message);
}

void add_functions(const Checked& checked, std::vector<IncompletePlace>& out) {
  for (const IncompleteFunction& f : checked.analysis.incomplete) {
    out.push_back({IncompletePlace::Kind::Function, f.path, f.line, f.function, std::string(name_of(f.reason)),
                   std::string(describe(f.reason))});
  }
}

void add_broken(const Checked& checked, std::vector<IncompletePlace>& out) {
  for (const BrokenPiece& piece : checked.analysis.broken) {
    const auto kind = piece.path.empty()       ? IncompletePlace::Kind::Stage
                      : piece.function.empty() ? IncompletePlace::Kind::File
                                               : IncompletePlace::Kind::BrokenFunction;
    out.push_back({kind, piece.path, piece.line, piece.function, "internal-error",
                   "not judged because of an internal error: " + piece.stage + ": " + piece.what});
  }
}

size_t count_named(const std::vector<UnreadSource>& unread) {
  return std::count_if(unread.begin(), unread.end(), [](const UnreadSource& file) { return file.is_named; });
}

}  // namespace

std::vector<UnreadFiles> unread_files(const Checked& checked) {
  std::map<std::tuple<std::string, std::string, std::string>, std::vector<std::string>> groups;
  for (const UnreadSource& file : checked.unread) groups[{file.kind, file.why, file.way_out}].push_back(file.path);
  std::vector<UnreadFiles> out;
  for (auto& [key, paths] : groups) {
    std::sort(paths.begin(), paths.end());
    out.push_back({std::get<0>(key), std::get<1>(key), std::get<2>(key), std::move(paths)});
  }
  return out;
}

std::vector<IncompletePlace> incomplete_places(const CheckRun& run, const Checked& checked) {
  std::vector<IncompletePlace> out;
  add_files(run, checked, out);
  add_functions(checked, out);
  add_broken(checked, out);
  for (const TruncatedRun& program : checked.analysis.truncated_runs)
    out.push_back({IncompletePlace::Kind::Program,
                   program.path,
                   0,
                   {},
                   "program-cut-off",
                   "the MPI program was not run to its end: " + program.why});
  if (checked.is_import_limited)
    out.push_back({IncompletePlace::Kind::Imports,
                   {},
                   0,
                   {},
                   "import-limit",
                   "of what these files import, the nearest " + std::to_string(kMostImported) + " files were read"});
  std::stable_sort(out.begin(), out.end(),
                   [](const auto& a, const auto& b) { return std::tie(a.path, a.line) < std::tie(b.path, b.line); });
  return out;
}

std::vector<std::string> failures(const CheckRun& run, const Checked& checked) {
  std::vector<std::string> out;
  for (const UnreadSource& file : checked.unread)
    if (file.is_named)
      out.push_back(file.path + ": cannot be read: " + file.why + (file.way_out.empty() ? "" : "; " + file.way_out));
  const auto add = [&](size_t n, const char* noun, const char* what, const char* setting) {
    if (n > 0)
      out.push_back(counted(n, noun) + (n == 1 ? " was" : " were") + what + " (`" + setting +
                    "`; `--show-incomplete` lists them)");
  };
  const Settings& settings = run.settings;
  if (settings.fail_on_unread || settings.strict)
    add(checked.unread.size() - count_named(checked.unread), "file", " not read",
        settings.fail_on_unread ? "fail-on-unread" : "strict");
  if (settings.strict) add(incomplete_places(run, checked).size(), "place", " not checked to the end", "strict");
  return out;
}

}  // namespace ranklint::app
