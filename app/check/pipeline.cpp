#include "app/check/pipeline.h"

#include <algorithm>
#include <tuple>

#include "app/check/source_notes.h"
#include "app/files/paths.h"
#include "app/files/read.h"

namespace ranklint::app {

namespace {

class Pipeline {
 public:
  Pipeline(std::vector<Finding> found, const PipelineInput& input) : in_(input), findings_(std::move(found)) {}

  SuppressionResult run(std::vector<FileNotes> files) {
    std::erase_if(findings_, [&](const Finding& finding) {
      const RuleInfo* info = rule(finding.rule);
      return info != nullptr && !selected(*info, finding.primary.path);
    });
    std::erase_if(files,
                  [&](const FileNotes& f) { return std::binary_search(in_.silent.begin(), in_.silent.end(), f.path); });
    for (const SourceProblem& problem : in_.problems) add_note(kUnreadable, problem.location, problem.message);
    for (const FileNotes& file : files)
      for (const ir::Diagnostic& diagnostic : file.diagnostics)
        add_note(kPartial, {file.path, diagnostic.range}, diagnostic.message);
    return suppress(std::move(findings_), files,
                    {.rules = in_.engine.rules,
                     .selected = [this](const RuleInfo& info, const std::string& path) { return selected(info, path); },
                     .source = in_.source});
  }

 private:
  bool selected(const RuleInfo& info, const std::string& path) const {
    return in_.settings.selected(info, absolute_path(path, in_.settings.discovery.cwd));
  }

  const RuleInfo* rule(std::string_view id) const {
    for (const Rule& candidate : in_.engine.rules)
      if (candidate.info->id == id) return candidate.info;
    return nullptr;
  }

  void add_note(std::string_view id, const Location& location, const std::string& message) {
    const RuleInfo* info = rule(id);
    if (info == nullptr || !selected(*info, location.path)) return;
    Finding finding = tool_finding(*info, location, message);
    finding.fingerprint_key = message;
    findings_.push_back(std::move(finding));
  }

  const PipelineInput& in_;
  std::vector<Finding> findings_;
};

}  // namespace

Result<Models> load_models(const Engine& engine, const Settings& settings) {
  Models models = engine.builtin_models();
  for (const std::string& path : settings.models) {
    const std::string shown = shown_path(path, settings.discovery.cwd);
    Result<std::string> text = read_file(path);
    if (!text) return Error{.message = "can not read the models: " + text.error().message, .path = shown};
    Result<size_t> added = models.add(text.value(), shown);
    if (!added) return added.error();
  }
  return models;
}

std::vector<Pass> passes_for(const Engine& engine, const Settings& settings) {
  std::vector<Rule> on;
  for (const Rule& rule : engine.rules)
    if (settings.selected(*rule.info, "")) on.push_back(rule);
  return passes_of(on);
}

SuppressionResult findings_to_show(std::vector<Finding> found, std::vector<FileNotes> files,
                                   const PipelineInput& input) {
  return Pipeline(std::move(found), input).run(std::move(files));
}

bool is_reported(const Finding& finding, const Settings& settings) {
  return finding.severity >= settings.min_severity && finding.confidence >= settings.min_confidence;
}

void sort_findings(std::vector<Finding>& findings) {
  std::sort(findings.begin(), findings.end(),
            [](const Finding& a, const Finding& b) { return a < b || (!(b < a) && a.confidence > b.confidence); });
  const auto says_the_same = [](const Finding& a, const Finding& b) { return !(a < b) && !(b < a); };
  findings.erase(std::unique(findings.begin(), findings.end(), says_the_same), findings.end());
}

}  // namespace ranklint::app
