#include "app/lsp/actions.h"

#include <algorithm>

#include "app/lsp/diagnostics.h"

namespace ranklint::app::lsp {

namespace {

constexpr std::string_view kUnused = "unused-suppression";
constexpr std::string_view kReason = "reason: ";

bool is_python(std::string_view path) { return path.ends_with(".py") || path.ends_with(".pyw"); }

// A kind asks for itself and for what stands below it: "source" for "source.fixAll.ranklint".
bool wanted(const std::vector<std::string>& only, std::string_view kind) {
  return only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& asked) {
    return kind == asked || (kind.starts_with(asked) && kind[asked.size()] == '.');
  });
}

Json edit_of(const std::string& uri, Json edits) { return {{"changes", {{uri, std::move(edits)}}}}; }

// The comment with the spaces before it, or its whole line when nothing else stands there.
Json removal(const Finding& finding, Places& places) {
  const TextLines& lines = places.now(finding.primary.path);
  const std::string_view text = lines.text();
  Span span = places.span(finding.primary);
  while (span.begin > 0 && (text[span.begin - 1] == ' ' || text[span.begin - 1] == '\t')) --span.begin;
  const bool alone = span.begin == 0 || text[span.begin - 1] == '\n';
  if (alone && span.end < text.size() && text[span.end] == '\r') ++span.end;
  if (alone && span.end < text.size() && text[span.end] == '\n') ++span.end;
  return {{"range", range_of(lines, span, places.encoding())}, {"newText", ""}};
}

class Builder {
 public:
  Builder(const ActionContext& context, Places& places) : context_(context), places_(places) {}

  void add(const Finding& finding) {
    if (finding.rule == kUnused) {
      if (wanted(context_.only, "quickfix"))
        push("Remove the comment: it suppresses nothing", "quickfix", finding,
             {{"edit", edit_of(places_.uri(finding.primary.path), Json::array({removal(finding, places_)}))}, {"isPreferred", true}});
      return;
    }
    if (context_.shows_rank_paths && !finding.witness.lanes.empty() && wanted(context_.only, "quickfix"))
      push("Show what each rank does", "quickfix", finding,
           {{"command", {{"title", "Show what each rank does"}, {"command", kShowRankPaths},
                         {"arguments", Json::array({rank_paths_of(finding, places_)})}}}});
    if (!wanted(context_.only, "quickfix")) return;
    if (finding.replay) {
      const Json range = places_.range(finding.primary);
      push("Run what each rank does, and see whether it hangs", "quickfix", finding,
           {{"command", {{"title", "Run what each rank does"}, {"command", kReplay},
                         {"arguments", Json::array({Json{{"textDocument", {{"uri", places_.uri(finding.primary.path)}}}, {"position", range["start"]}}})}}}});
    }
    push("Suppress " + finding.code + " on this line, with a reason", "quickfix", finding,
         {{"edit", edit_of(places_.uri(finding.primary.path), Json::array({suppression_edit(finding, places_)}))}});
    push("Suppress " + finding.code + " in this file, with a reason", "quickfix", finding,
         {{"edit", edit_of(places_.uri(finding.primary.path), Json::array({whole_file_edit(finding)}))}});
  }

  void add_fix_all(const std::vector<Finding>& findings) {
    Json edits = Json::array();
    for (const Finding& finding : findings)
      if (finding.primary.path == context_.path && finding.rule == kUnused) edits.push_back(removal(finding, places_));
    if (edits.empty() || !wanted(context_.only, kFixAll)) return;
    actions_.push_back({{"title", "Fix all that ranklint can fix safely"}, {"kind", kFixAll},
                        {"edit", edit_of(places_.uri(context_.path), std::move(edits))}});
  }

  Json take() { return std::move(actions_); }

 private:
  void push(const std::string& title, const char* kind, const Finding& finding, Json rest) {
    Json action{{"title", title}, {"kind", kind}, {"diagnostics", Json::array({diagnostic_of(finding, places_, false)})}};
    action.update(rest);
    actions_.push_back(std::move(action));
  }

  // Behind a "#!" line and the encoding's, which must come first.
  Json whole_file_edit(const Finding& finding) {
    const TextLines& lines = places_.now(finding.primary.path);
    const std::string_view text = lines.text();
    size_t at = 0;
    for (int line = 0; line < 2 && text.substr(at).starts_with('#'); ++line) {
      const std::string_view first = text.substr(at, lines.line_end(at) - at);
      if (!first.starts_with("#!") && first.find("coding") == std::string_view::npos) break;
      at = std::min(text.find('\n', at), text.size() - 1) + 1;
    }
    const std::string mark = is_python(finding.primary.path) ? "# " : "// ";
    return {{"range", range_of(lines, {at, at}, places_.encoding())},
            {"newText", mark + "ranklint: ignore-file[" + finding.rule + "] " + std::string(kReason) + "\n"}};
  }

  const ActionContext& context_;
  Places& places_;
  Json actions_ = Json::array();
};

}  // namespace

Json suppression_edit(const Finding& finding, Places& places) {
  const TextLines& lines = places.now(finding.primary.path);
  const Span span = places.span(finding.primary);
  // A comment counts on the first and on the last line of the range. Behind a "\" no comment may stand.
  size_t at = lines.line_end(span.begin);
  if (at > 0 && lines.text()[at - 1] == '\\') at = lines.line_end(span.end);
  const std::string mark = is_python(finding.primary.path) ? "  # " : "  // ";
  return {{"range", range_of(lines, {at, at}, places.encoding())},
          {"newText", mark + "ranklint: ignore[" + finding.rule + "] " + std::string(kReason)}};
}

Json actions_for(const std::vector<Finding>& findings, const ActionContext& context, Places& places) {
  Builder builder(context, places);
  for (const Finding& finding : findings) {
    if (finding.primary.path != context.path) continue;
    const Span span = places.span(finding.primary);
    if (span.begin <= context.span.end && context.span.begin <= span.end) builder.add(finding);
  }
  builder.add_fix_all(findings);
  return builder.take();
}

}  // namespace ranklint::app::lsp
