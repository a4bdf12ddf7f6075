#include "app/lsp/hover.h"

#include <algorithm>
#include <map>

#include "analyzer/project/shared.h"
#include "analyzer/questions/calls.h"
#include "app/report/formats/formats.h"

namespace ranklint::app::lsp {

namespace {

bool is_word(char c) {
  return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c >= '0' && c <= '9') || c == '-' || c == '_';
}
bool touches(Span span, size_t offset) { return span.begin <= offset && offset <= span.end; }

// What varies, in words.
std::string divergence(const SeenValue& value) {
  if (!value.local.empty()) return "each rank decides by itself (" + value.local + ")";
  return "ranks of `" + value.axes + "` differ";
}

std::optional<Hovered> rule_at(const Engine& engine, const TextLines& lines, size_t offset) {
  const std::string_view text = lines.text();
  Span word{offset, offset};
  while (word.begin > 0 && is_word(text[word.begin - 1])) --word.begin;
  while (word.end < text.size() && is_word(text[word.end])) ++word.end;
  const size_t line = text.rfind('\n', word.begin == 0 ? 0 : word.begin - 1);
  const std::string_view before =
      text.substr(line == text.npos ? 0 : line, word.begin - (line == text.npos ? 0 : line));
  if (before.find("ranklint:") == before.npos) return std::nullopt;
  const std::string name(text.substr(word.begin, word.end - word.begin));
  for (const Rule& rule : engine.rules)
    if (rule.info->id == name || rule.info->code == name) {
      const std::string_view page = engine.rule_page(rule.info->id);
      return Hovered{page.empty() ? "**" + std::string(rule.info->code) + "** " + std::string(rule.info->summary)
                                  : std::string(page),
                     word};
    }
  return std::nullopt;
}

std::string lanes_of(const Finding& finding) {
  std::string text;
  for (const WitnessLane& lane : finding.witness.lanes) {
    text += "\n\n**" + lane.ranks + "**\n";
    for (const WitnessStep& step : lane.steps)
      text += "\n" + std::string(static_cast<size_t>(std::max(0, step.nesting)) * 2, ' ') + "- " + step.text;
    if (!lane.end.empty()) text += "\n- *" + lane.end + "*";
  }
  return text;
}

std::optional<Hovered> finding_at(const Folder& folder, const std::string& path, size_t offset, Places& places) {
  for (const Finding* found : folder.findings(path)) {
    const Finding& finding = *found;
    const Span span = places.span(finding.primary);
    if (!touches(span, offset)) continue;
    std::string text = "**" + finding.code + "** " + finding.message + lanes_of(finding);
    if (const std::string why = report::why_so_sure(finding); !why.empty())
      text += "\n\n" + std::string(report::word(finding.confidence)) + ": " + why;
    for (const std::string& assumption : finding.witness.assumptions) text += "\n\nassuming " + assumption;
    if (!finding.help.empty()) text += "\n\nhelp: " + finding.help;
    return Hovered{std::move(text), span};
  }
  return std::nullopt;
}

// The calls of a file that were noted, each with the path that it lies in.
template <typename Visit>
void for_calls_in(const Folder& folder, const std::string& path, Visit visit) {
  const Shared& shared = *folder.outcome()->shared;
  for (const CallSite& call : shared.calls.all())
    if (shared.index->path(call.function) == path) visit(call);
}

bool communicates(const CallSite& call) { return call.is(ModelKind::Collective) || call.is(ModelKind::GroupCreate); }

std::optional<Hovered> call_at(const Folder& folder, const std::string& path, size_t offset, Places& places) {
  std::optional<Hovered> best;
  for_calls_in(folder, path, [&](const CallSite& call) {
    if (!communicates(call)) return;
    const Span span = places.span({path, call.range});
    if (!touches(span, offset) || (best && best->span.end - best->span.begin <= span.end - span.begin)) return;
    std::string text =
        "`" + std::string(call.op()) + "` is a collective: every rank of its group must call it, in the same order.";
    for (const SeenArgument& argument : call.arguments)
      if (argument.keyword == "group" && !argument.value.spelled.empty())
        text += "\n\ngroup: `" + argument.value.spelled + "`";
    std::string guards;
    for (const SeenGuard& guard : call.guards) {
      if (!guard.condition.diverges()) continue;
      const std::string condition =
          guard.condition.spelled.empty() ? "the condition" : "`" + guard.condition.spelled + "`";
      const Json range = places.range({path, guard.range});
      guards += "\n- only where " + condition + (guard.holds ? " holds" : " does not hold") + " (line " +
                std::to_string(range["start"]["line"].get<uint32_t>() + 1) + "): " + divergence(guard.condition);
    }
    text += guards.empty() ? "\n\nEvery rank that enters this function gets here, as far as conditions on ranks tell."
                           : "\n\nNot every rank gets here:\n" + guards;
    best = Hovered{std::move(text), span};
  });
  return best;
}

}  // namespace

std::optional<Hovered> hover_at(const Folder& folder, const Engine& engine, const std::string& path, size_t offset,
                                Places& own, Places& places) {
  if (auto rule = rule_at(engine, places.now(path), offset)) return rule;
  if (auto finding = finding_at(folder, path, offset, own)) return finding;
  return call_at(folder, path, offset, places);
}

std::vector<Hint> hints_in(const Folder& folder, const std::string& path, Span span, Places& places) {
  std::map<size_t, Hint> hints;
  for_calls_in(folder, path, [&](const CallSite& call) {
    for (const SeenGuard& guard : call.guards) {
      if (!guard.condition.diverges()) continue;
      const Span at = places.span({path, guard.range});
      if (at.end < span.begin || at.begin > span.end) continue;
      hints[at.end] = {
          at.end,
          guard.condition.local.empty() ? "varies on " + guard.condition.axes : "local: " + guard.condition.local,
          divergence(guard.condition)};
    }
  });
  // Around communication in a callee, where ranks were found to diverge.
  const Shared& shared = *folder.outcome()->shared;
  for (const Mismatch& m : shared.mismatches) {
    if (shared.index->path(m.function) != path || m.guard.line == 0 || shared.run_through.contains(m.function))
      continue;
    const Span at = places.span({path, m.guard});
    if (at.end < span.begin || at.begin > span.end) continue;
    const std::string& axes = m.guard_axes;
    if (m.local_reason.empty() && axes.empty()) continue;
    hints.try_emplace(at.end, Hint{at.end, m.local_reason.empty() ? "varies on " + axes : "local: " + m.local_reason,
                                   m.local_reason.empty() ? "ranks of `" + axes + "` differ"
                                                          : "each rank decides by itself (" + m.local_reason + ")"});
  }
  std::vector<Hint> all;
  for (auto& [offset, hint] : hints) all.push_back(std::move(hint));
  return all;
}

}  // namespace ranklint::app::lsp
