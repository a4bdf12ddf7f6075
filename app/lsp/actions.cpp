#include "app/lsp/actions.h"

#include <algorithm>

#include "app/files/paths.h"
#include "app/fix/comments.h"
#include "app/fix/fix.h"
#include "app/lsp/diagnostics.h"

namespace ranklint::app::lsp {

namespace {

constexpr std::string_view kUnused = "unused-suppression";
constexpr std::string_view kReason = "reason:";

// A kind asks for itself and for what stands below it: "source" for "source.fixAll.ranklint".
bool wanted(const std::vector<std::string>& only, std::string_view kind) {
  return only.empty() || std::any_of(only.begin(), only.end(), [&](const std::string& asked) {
           return kind == asked || (kind.starts_with(asked) && kind[asked.size()] == '.');
         });
}

Json edit_of(const std::string& uri, Json edits) { return {{"changes", {{uri, std::move(edits)}}}}; }

// In the text as it is now.
Json edits_of(const std::string& path, const std::vector<Edit>& edits, Places& places) {
  Json all = Json::array();
  for (const Edit& edit : edits)
    all.push_back({{"range", range_of(places.now(path), places.moved(path, {edit.begin, edit.end}), places.encoding())},
                   {"newText", edit.text}});
  return all;
}

std::string capitalized(std::string text) {
  if (!text.empty() && text[0] >= 'a' && text[0] <= 'z') text[0] = static_cast<char>(text[0] - 'a' + 'A');
  return text;
}

class Builder {
 public:
  Builder(const ActionContext& context, Places& places) : context_(context), places_(places) {}

  void add(const Finding& finding) {
    const std::optional<Fix> fix = wanted(context_.only, "quickfix") ? fix_of(finding) : std::nullopt;
    if (fix)
      push(capitalized(fix->title) + (fix->safe ? "" : " (it changes what the program does)"), "quickfix", finding,
           {{"edit", edit_of(places_.uri(fix->path), edits_of(fix->path, fix->edits, places_))},
            {"isPreferred", fix->safe}});
    if (finding.rule == kUnused) return;
    if (context_.shows_rank_paths && !finding.witness.lanes.empty() && wanted(context_.only, "quickfix"))
      push("Show what each rank does", "quickfix", finding,
           {{"command",
             {{"title", "Show what each rank does"},
              {"command", kShowRankPaths},
              {"arguments", Json::array({rank_paths_of(finding, places_)})}}}});
    if (!wanted(context_.only, "quickfix")) return;
    if (finding.replay) {
      const Json range = places_.range(finding.primary);
      push("Run what each rank does, and see whether it hangs", "quickfix", finding,
           {{"command",
             {{"title", "Run what each rank does"},
              {"command", kReplay},
              {"arguments", Json::array({Json{{"textDocument", {{"uri", places_.uri(finding.primary.path)}}},
                                              {"position", range["start"]}}})}}}});
    }
    push("Suppress " + finding.code + " on this line, with a reason", "quickfix", finding,
         {{"edit",
           edit_of(places_.uri(finding.primary.path), edits_of(finding.primary.path, suppression(finding), places_))}});
    push("Suppress " + finding.code + " in this file, with a reason", "quickfix", finding,
         {{"edit", edit_of(places_.uri(finding.primary.path), Json::array({whole_file_edit(finding)}))}});
  }

  void add_fix_all(const std::vector<const Finding*>& findings) {
    if (!wanted(context_.only, kFixAll)) return;
    std::vector<Edit> edits;
    for (const Finding* finding : findings) {
      const std::optional<Fix> fix = fix_of(*finding);
      if (!fix || !fix->safe || fix->path != context_.path) continue;
      const bool clashes = std::any_of(fix->edits.begin(), fix->edits.end(), [&](const Edit& edit) {
        return std::any_of(edits.begin(), edits.end(), [&](const Edit& other) { return clash(edit, other); });
      });
      if (!clashes) edits.insert(edits.end(), fix->edits.begin(), fix->edits.end());
    }
    if (edits.empty()) return;
    actions_.push_back({{"title", "Fix all that ranklint can fix safely"},
                        {"kind", kFixAll},
                        {"edit", edit_of(places_.uri(context_.path), edits_of(context_.path, edits, places_))}});
  }

  Json take() { return std::move(actions_); }

 private:
  std::optional<Fix> fix_of(const Finding& finding) {
    return fix_for(finding, [this](const std::string& path) { return places_.reported_text(path); });
  }

  std::vector<Edit> suppression(const Finding& finding) {
    const Finding* one = &finding;
    return ignoring(places_.reported_text(finding.primary.path), {&one, 1}, kReason);
  }

  void push(const std::string& title, const char* kind, const Finding& finding, Json rest) {
    Json action{
        {"title", title}, {"kind", kind}, {"diagnostics", Json::array({diagnostic_of(finding, places_, false)})}};
    action.update(rest);
    actions_.push_back(std::move(action));
  }

  // After a "#!" line and the encoding's, which must come first.
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
            {"newText", mark + "ranklint: ignore-file[" + finding.rule + "] " + std::string(kReason) + " \n"}};
  }

  const ActionContext& context_;
  Places& places_;
  Json actions_ = Json::array();
};

}  // namespace

Json actions_for(const std::vector<const Finding*>& findings, const ActionContext& context, Places& places) {
  Builder builder(context, places);
  for (const Finding* finding : findings) {
    const Span span = places.span(finding->primary);
    if (span.begin <= context.span.end && context.span.begin <= span.end) builder.add(*finding);
  }
  builder.add_fix_all(findings);
  return builder.take();
}

}  // namespace ranklint::app::lsp
