#include "tests/app/world.h"

#include <stdlib.h>

#include <algorithm>
#include <array>
#include <fstream>
#include <set>
#include <sstream>

#include "analyzer/base/check.h"
#include "app/files/paths.h"

namespace ranklint::test {

namespace fs = std::filesystem;

namespace {

constexpr std::array<RuleInfo, 7> kInfos{{
    {.id = "rank-guarded-collective",
     .code = "RL101",
     .summary = "some ranks enter",
     .severity = Severity::Error,
     .since = "0.1"},
    {.id = "rank-dependent-loop",
     .code = "RL104",
     .summary = "loops differ",
     .severity = Severity::Error,
     .since = "0.1"},
    {.id = "redundant-guard",
     .code = "RL116",
     .summary = "a guard that is uniform",
     .severity = Severity::Info,
     .since = "0.1",
     .default_on = false},
    {.id = "unused-suppression",
     .code = "RL901",
     .summary = "does nothing",
     .severity = Severity::Warning,
     .since = "0.1"},
    {.id = "unknown-rule", .code = "RL902", .summary = "no such rule", .severity = Severity::Warning, .since = "0.1"},
    {.id = "unreadable-source",
     .code = "RL903",
     .summary = "can not be read",
     .severity = Severity::Warning,
     .since = "0.1"},
    {.id = "partial-parse", .code = "RL904", .summary = "does not parse", .severity = Severity::Info, .since = "0.1"},
}};

constexpr std::array<Rule, 7> kRules{{{&kInfos[0], nullptr},
                                      {&kInfos[1], nullptr},
                                      {&kInfos[2], nullptr},
                                      {&kInfos[3], nullptr},
                                      {&kInfos[4], nullptr},
                                      {&kInfos[5], nullptr},
                                      {&kInfos[6], nullptr}}};

struct Word {
  std::string_view text;
  const RuleInfo* rule;
  Confidence confidence;
};

constexpr std::array<Word, 4> kWords{{{"BUG", &kInfos[0], Confidence::Certain},
                                      {"LOOP", &kInfos[1], Confidence::Certain},
                                      {"MAYBE", &kInfos[0], Confidence::Possible},
                                      {"AUDIT", &kInfos[2], Confidence::Certain}}};

SourceRange word_range(uint32_t line, size_t at, size_t length) {
  const auto column = static_cast<uint32_t>(at + 1);
  return {line, column, line, column + static_cast<uint32_t>(length)};
}

void read_line(std::string_view line, uint32_t number, FileNotes& notes, std::vector<Finding>& findings) {
  constexpr std::string_view kPragma = "# ranklint:";
  const size_t pragma = line.find(kPragma);
  if (pragma != std::string_view::npos)
    notes.pragmas.push_back({.range = word_range(number, pragma, line.size() - pragma),
                             .text = std::string(line.substr(pragma + kPragma.size())),
                             .own_line = line.find_first_not_of(' ') == pragma});
  const std::string_view code = line.substr(0, pragma);
  if (const size_t at = code.find("SYNTAX"); at != std::string_view::npos)
    notes.diagnostics.push_back({word_range(number, at, 6), "does not parse"});
  for (const Word& word : kWords) {
    const size_t at = code.find(word.text);
    if (at == std::string_view::npos) continue;
    Finding finding;
    finding.rule = word.rule->id;
    finding.code = word.rule->code;
    finding.severity = word.rule->severity;
    finding.confidence = word.confidence;
    finding.primary = {notes.path, word_range(number, at, word.text.size())};
    finding.message = "found " + std::string(word.text);
    findings.push_back(std::move(finding));
  }
}

std::string fake_render(const ReportInput& input) {
  std::ostringstream out;
  for (const Finding& f : input.findings)
    out << f.primary.path << ':' << f.primary.range.line << ':' << f.primary.range.column << ' ' << f.code << ' '
        << f.message << '\n';
  for (const ReportNote& n : input.notes)
    out << n.location.path << ':' << n.location.range.line << ':' << n.location.range.column << ' ' << n.code << ' '
        << n.message << '\n';
  out << "end of report\n";
  return out.str();
}

void note_report(const ReportInput& input, OutputFormat format, EngineLog& log) {
  log.color = input.color;
  log.width = input.width;
  log.statistics = input.statistics;
  log.format = format;
  log.suppressed = input.suppressed.size();
  std::set<std::string> broken;
  for (const IncompletePlace& place : input.incomplete)
    if (place.kind == IncompletePlace::Kind::File) broken.insert(place.path);
  log.broken_files = broken.size();
  log.unread = input.unread;
  log.incomplete = input.incomplete;
  log.failed = input.failed;
}

}  // namespace

std::span<const Rule> fake_rules() { return kRules; }

app::Engine fake_engine(EngineLog& log) {
  auto findings = std::make_shared<std::vector<Finding>>();
  return {
      .builtin_models = [] { return Models(); },
      .frontend =
          [](const app::Reading&) {
            return Result<Frontend>([](const std::string& path, std::string_view) {
              std::vector<ir::Module> modules(1);
              modules[0].path = path;
              return modules;
            });
          },
      .missing_frontend = [](const std::string& path, bool) -> std::optional<app::MissingFrontend> {
        if (!path.ends_with(".cxx")) return std::nullopt;
        return app::MissingFrontend{"C++ file", "no frontend for C++", "use another build"};
      },
      .analyze =
          [&log, findings](std::vector<SourceFile> files, const Models&, const Frontend&,
                           const AnalysisOptions& options) {
            Analysis analysis;
            findings->clear();
            log.threads = options.threads;
            std::sort(files.begin(), files.end(), [](const auto& a, const auto& b) { return a.path < b.path; });
            for (const SourceFile& file : files) {
              log.read_paths.push_back(file.path);
              if (file.reported) log.reported_paths.push_back(file.path);
              std::vector<Finding> silent;
              FileNotes notes{.path = file.path, .pragmas = {}, .diagnostics = {}};
              std::istringstream lines(file.bytes);
              uint32_t number = 0;
              for (std::string line; std::getline(lines, line);)
                read_line(line, ++number, notes, file.reported ? *findings : silent);
              if (file.bytes.find("HUGE") != std::string::npos)
                analysis.incomplete.push_back({file.path, 1, "huge", IncompleteReason::TooLarge});
              if (file.bytes.find("BROKEN") != std::string::npos)
                analysis.broken.push_back(
                    {.path = file.path, .line = 1, .function = "broken", .stage = "summary", .what = "base.h:3: no"});
              analysis.files.push_back(std::move(notes));
            }
            return analysis;
          },
      .findings_of = [findings](const Analysis&, std::span<const Rule>) { return *findings; },
      .verify =
          [](std::vector<Finding>& found) {
            Verified verified;
            for (const Finding& finding : found)
              ++(finding.code == "RL101" ? verified.confirmed : verified.not_replayable);
            return verified;
          },
      .rules = fake_rules(),
      .rule_page = [](std::string_view id) { return id == "rank-guarded-collective" ? "# its page\n" : ""; },
      .render =
          [&log](OutputFormat format, const ReportInput& input) {
            note_report(input, format, log);
            return fake_render(input);
          },
  };
}

TempFolder::TempFolder() {
  std::string name = (fs::temp_directory_path() / "ranklint-test-XXXXXX").string();
  RANKLINT_CHECK(::mkdtemp(name.data()) != nullptr, "no temporary folder");
  path_ = fs::canonical(name);
}

TempFolder::~TempFolder() {
  std::error_code ignored;
  fs::remove_all(path_, ignored);
}

void TempFolder::write(const std::string& relative, const std::string& text) const {
  const fs::path file = path_ / relative;
  fs::create_directories(file.parent_path());
  std::ofstream(file, std::ios::binary) << text;
}

std::string TempFolder::read(const std::string& relative) const {
  std::ifstream file(path_ / relative, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

Outcome World::run(const std::vector<std::string>& args) const {
  Outcome outcome;
  std::ostringstream out, err;
  app::Io io{
      .read_stdin = [this] { return stdin_text; },
      .out = out,
      .err = err,
      .out_is_terminal = terminal,
      .err_is_terminal = terminal,
      .columns = 0,
      .environment =
          [this](const std::string& name) {
            const auto found = environment.find(name);
            return found == environment.end() ? std::nullopt : std::optional(found->second);
          },
      .cwd = app::absolute_path(subfolder, folder.path()),
  };
  io.stop_fd = stop_fd;
  app::Engine engine = fake_engine(outcome.log);
  engine.identity = identity;
  engine.render = [this, render = engine.render](OutputFormat format, const ReportInput& input) {
    std::string text = render(format, input);
    if (after_report) after_report();
    return text;
  };
  outcome.status = app::run(args, io, engine);
  outcome.out = out.str();
  outcome.err = err.str();
  return outcome;
}

}  // namespace ranklint::test
